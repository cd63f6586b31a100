'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect } from 'react';
import { useLive } from '@/lib/live/client';
import { useGathered } from '../../ui/use-gathered';

/** Reads the page of an entry anew when the entry moves on. */
export function EntryLive({ sequence, running }: { readonly sequence: number; readonly running: boolean }) {
  const router = useRouter();
  const refresh = useGathered(useCallback(() => router.refresh(), [router]));
  useLive('ledger.row', (message) => {
    if (message.row.sequence === sequence) refresh();
  });
  useLive('caught_up', () => {
    if (running) refresh();
  });
  useEffect(() => {
    // Between the server's reading and this page's joining the stream, the call may have ended.
    if (running) refresh();
  }, [running, refresh]);
  return null;
}
