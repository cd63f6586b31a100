import { z } from 'zod';
import { isObject } from '@/lib/core';
import type { InboxItem } from '@/lib/health';
import { fetchJson } from '../servers/fetch-servers';

// The console's own answer: its shape is that of the type, checked where it is made.
const pageSchema = z.object({
  items: z.array(z.custom<InboxItem>(isObject)),
  more: z.boolean(),
  unread: z.number(),
  servers: z.array(z.string()),
});
export type InboxPage = z.infer<typeof pageSchema>;

/** Every read of the inbox begins with it: whatever is marked or comes makes all of them old. */
export const INBOX = 'inbox';

/** @param search the filter as the address has it */
export const fetchInbox = async (search: string, before: number | null, signal?: AbortSignal): Promise<InboxPage> => {
  const parameters = new URLSearchParams(search);
  if (before !== null) parameters.set('before', String(before));
  return pageSchema.parse(await fetchJson(`/api/inbox?${parameters}`, signal));
};

const countSchema = z.object({ unread: z.number() });

export const fetchUnread = async (signal?: AbortSignal): Promise<number> => countSchema.parse(await fetchJson('/api/inbox/unread', signal)).unread;
