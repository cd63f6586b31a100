import { defineRoute } from '@/app/define-route';
import { listCards } from '@/app/server-view';

export const GET = defineRoute({
  permission: 'servers.see',
  run: async (_request, { runtime, principal }) => Response.json({ cards: listCards(runtime, principal.role) }),
});
