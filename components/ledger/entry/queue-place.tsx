'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLive } from '@/lib/live/client';
import { useGathered } from '../../ui/use-gathered';
import { fetchQueuePlace } from '../fetch-queue-place';

interface QueuePlaceProps {
  readonly sequence: number;
  readonly serverKey: string;
}

/** How many calls wait ahead of a queued one, moving on as they go. */
export function QueuePlace({ sequence, serverKey }: QueuePlaceProps) {
  const client = useQueryClient();
  const { data: ahead } = useQuery({ queryKey: ['queue-place', sequence], queryFn: ({ signal }) => fetchQueuePlace(sequence, signal) });
  const refresh = useGathered(useCallback(() => void client.invalidateQueries({ queryKey: ['queue-place', sequence] }), [client, sequence]));
  useLive('server.load', ({ key }) => {
    if (key === serverKey) refresh();
  });
  if (ahead === undefined || ahead === null) return null;
  return <span className="text-sm text-muted">{ahead === 0 ? 'next in the queue' : `${ahead} ahead`}</span>;
}
