import { isFlag, isListOf, isNumber, isOwn, isShape, isText, requireShape } from '@/lib/core';
import type { InboxItem } from '@/lib/health';
import { fetchJson } from '../servers/fetch-servers';

// The console's own answer: its shape is that of the type, checked where it is made.
const isPage = isShape<InboxPage>({ items: isListOf(isOwn<InboxItem>), more: isFlag, unread: isNumber, servers: isListOf(isText) });
const isCount = isShape<{ unread: number }>({ unread: isNumber });

export interface InboxPage {
  readonly items: readonly InboxItem[];
  readonly more: boolean;
  readonly unread: number;
  readonly servers: readonly string[];
}

/** Every read of the inbox begins with it: whatever is marked or comes makes all of them old. */
export const INBOX = 'inbox';

/** @param search the filter as the address has it */
export const fetchInbox = async (search: string, before: number | null, signal?: AbortSignal): Promise<InboxPage> => {
  const parameters = new URLSearchParams(search);
  if (before !== null) parameters.set('before', String(before));
  return requireShape(await fetchJson(`/api/inbox?${parameters}`, signal), isPage);
};

export const fetchUnread = async (signal?: AbortSignal): Promise<number> => requireShape(await fetchJson('/api/inbox/unread', signal), isCount).unread;
