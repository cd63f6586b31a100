import { defineRoute } from '@/app/define-route';
import { listHealthRows } from '@/app/health-view';

export const GET = defineRoute({
  permission: 'servers.see',
  run: async (_request, { runtime, principal }) => Response.json({ rows: await listHealthRows(runtime, principal.role) }),
});
