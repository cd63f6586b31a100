'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLive } from '@/lib/live/client';
import { useGathered } from '../ui/use-gathered';
import { fetchUnread, INBOX } from './fetch-inbox';

/** How much of the inbox is not read; null until that is known. */
export function useUnread(): number | null {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: [INBOX, 'unread'], queryFn: ({ signal }) => fetchUnread(signal) });
  const refresh = useGathered(useCallback(() => void client.invalidateQueries({ queryKey: [INBOX] }), [client]));
  useLive('server.changed', refresh);
  useLive('caught_up', refresh);
  return data ?? null;
}
