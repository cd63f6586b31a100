import { definePublicRoute } from '@/app/define-route';
import { setSessionCookies } from '@/app/(auth)/session-cookies';

/** Ends the session that the request carries; without one nothing happens. */
export const POST = definePublicRoute({
  run: async (request, { runtime }) => {
    await setSessionCookies(await runtime.accounts.signOut(request.headers));
    return Response.json({ ok: true });
  },
});
