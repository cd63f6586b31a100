import { z } from 'zod';
import { definePublicRoute } from '@/app/define-route';
import { requireInput } from '@/app/request-guard';
import { setSessionCookies } from '@/app/(auth)/session-cookies';
import { describeRefusal } from '@/lib/auth/node';
import { AppError } from '@/lib/core';

const bodySchema = z.object({ email: z.string(), password: z.string() });

/** Signs in with JSON, for programs that have no page: `{email, password}`. */
export const POST = definePublicRoute({
  run: async (request, { runtime }) => {
    const { email, password } = requireInput(bodySchema, await readJson(request));
    const result = await runtime.accounts.signIn(email, password, request.headers);
    if (!result.ok) throw new AppError({ code: 'not_signed_in', message: describeRefusal(result.error) });
    await setSessionCookies(result.value);
    return Response.json({ ok: true });
  },
});

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch (cause) {
    throw new AppError({ code: 'bad_input', message: 'The body is no JSON: send {"email", "password"}.', cause });
  }
}
