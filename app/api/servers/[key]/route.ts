import { defineRoute } from '@/app/define-route';
import { requireServer, toDetail } from '@/app/server-view';

export const GET = defineRoute({
  permission: 'servers.see',
  run: async (_request, { runtime, params, principal }) =>
    Response.json({ server: toDetail(runtime, requireServer(runtime, String(params['key'])), principal.role) }),
});
