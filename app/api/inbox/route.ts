import { z } from 'zod';
import { defineRoute } from '@/app/define-route';
import { requireInput } from '@/app/request-guard';

const PAGE_ITEMS = 50;

const pageSchema = z.object({
  before: z.coerce.number().int().positive().nullable(),
  server: z.string().max(64).optional(),
  unread: z.enum(['1']).optional(),
});

/** The changes of state for whoever asks, newest first, and how many they have not read. */
export const GET = defineRoute({
  permission: 'servers.see',
  run: async (request, { runtime, principal }) => {
    const search = new URL(request.url).searchParams;
    const { before, server, unread } = requireInput(pageSchema, {
      before: search.get('before'), server: search.get('server') ?? undefined, unread: search.get('unread') ?? undefined,
    });
    const { inbox } = runtime.health;
    const person = principal.actor.name;
    const page = inbox.list(person, { before, limit: PAGE_ITEMS, unreadOnly: unread === '1', ...(server === undefined ? {} : { server }) });
    return Response.json({ ...page, unread: inbox.countUnread(person), servers: inbox.servers() });
  },
});
