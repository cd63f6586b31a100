import { defineRoute } from '@/app/define-route';
import { requireServer } from '@/app/server-view';

/** What the server printed. It may hold whatever a server prints, so it is for those who may see contents. */
export const GET = defineRoute({
  permission: 'ledger.see_contents',
  run: async (_request, { runtime, params }) => {
    const { entry } = requireServer(runtime, String(params['key']));
    return Response.json({ lines: runtime.pool.lines(entry.key), strayLines: runtime.pool.strayLines(entry.key) });
  },
});
