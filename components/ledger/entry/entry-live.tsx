'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';
import { useLive } from '@/lib/live/client';

/** Events of this span are read together. */
const GATHER_MS = 200;

/** Reads the page of an entry anew when the entry moves on. */
export function EntryLive({ sequence, running }: { readonly sequence: number; readonly running: boolean }) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refresh = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      router.refresh();
    }, GATHER_MS);
  }, [router]);
  useLive('ledger.row', (message) => {
    if (message.row.sequence === sequence) refresh();
  });
  useLive('caught_up', () => {
    if (running) refresh();
  });
  useEffect(() => {
    // Between the server's reading and this page's joining the stream, the call may have ended.
    if (running) refresh();
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [running, refresh]);
  return null;
}
