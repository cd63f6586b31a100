import { definePublicRoute } from '@/app/define-route';

/** Whether the process answers and its data can be read; it says nothing about servers. */
export const GET = definePublicRoute({
  run: async (_request, { runtime }) => {
    runtime.db.sqlite.prepare('SELECT 1').get();
    return Response.json({ ok: true });
  },
});
