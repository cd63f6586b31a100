import { defineRoute } from '@/app/define-route';
import { listToolRows, requireServer } from '@/app/server-view';

export const GET = defineRoute({
  permission: 'servers.see',
  run: async (_request, { runtime, params }) => Response.json({ tools: listToolRows(runtime, requireServer(runtime, String(params['key']))) }),
});
