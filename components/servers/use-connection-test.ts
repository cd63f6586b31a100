'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '@/lib/live/client';
import { fetchTest, type FollowedTestView } from './fetch-servers';

/** In case the live stream is lost while a test runs. */
const RUNNING_POLL_MS = 2000;

/** Follows a test stage by stage; leaving and coming back changes nothing about it. */
export function useConnectionTest(serverKey: string, testId: string | null): { readonly test: FollowedTestView | undefined; readonly error: Error | null } {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['connection-test', testId],
    queryFn: ({ signal }) => fetchTest(serverKey, testId ?? '', signal),
    enabled: testId !== null,
    refetchInterval: (query) => (query.state.data?.result === null ? RUNNING_POLL_MS : false),
  });
  useLive('test.event', (message) => {
    if (message.testId === testId) void client.invalidateQueries({ queryKey: ['connection-test', testId] });
  });
  return { test: data, error };
}
