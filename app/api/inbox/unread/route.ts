import { defineRoute } from '@/app/define-route';

/** How many changes whoever asks has not read. */
export const GET = defineRoute({
  permission: 'servers.see',
  run: async (_request, { runtime, principal }) => Response.json({ unread: runtime.health.inbox.countUnread(principal.actor.name) }),
});
