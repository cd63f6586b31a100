'use client';

import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { useLive } from '@/lib/live/client';
import { useGathered } from '../ui/use-gathered';

/** Reads the page of a run anew as its calls go on. */
export function RunLive({ runId }: { readonly runId: string }) {
  const router = useRouter();
  const refresh = useGathered(useCallback(() => router.refresh(), [router]));
  useLive('ledger.row', ({ row }) => {
    if (row.runId === runId) refresh();
  });
  useLive('caught_up', refresh);
  return null;
}
