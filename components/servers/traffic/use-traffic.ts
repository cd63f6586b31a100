'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useLive } from '@/lib/live/client';
import type { Traffic } from '@/lib/pool';
import { addTraffic } from './add-traffic';
import { fetchRows } from './fetch-traffic';

/** The messages of a server as far as they are kept, read on whenever the live stream says that there are more. */
export function useTraffic(serverKey: string, initial: Traffic) {
  const client = useQueryClient();
  const queryKey = ['traffic', serverKey];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Traffic>(queryKey) ?? initial;
      const read = await fetchRows(serverKey, before.rows.at(-1)?.number ?? null, signal);
      // Numbers of another life of the console say nothing about this one: read it from its newest on.
      return read.since === before.since ? addTraffic(before, read) : fetchRows(serverKey, null, signal);
    },
    initialData: initial,
  });
  const { refetch } = query;
  const reading = useRef<'not' | 'once' | 'again'>('not');
  const read = useCallback(async () => {
    // What is told of while a reading is under way may have come after it looked.
    if (reading.current !== 'not') {
      reading.current = 'again';
      return;
    }
    do {
      reading.current = 'once';
      await refetch({ cancelRefetch: false });
    } while (isAgain(reading.current));
    reading.current = 'not';
  }, [refetch]);
  useLive('server.traffic', (message) => {
    if (message.key === serverKey) void read();
  });
  useLive('caught_up', () => void read());
  return { ...query, read };
}

const isAgain = (reading: 'not' | 'once' | 'again'): boolean => reading === 'again';
