'use client';

import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { useLive } from '@/lib/live/client';
import { useGathered } from '../ui/use-gathered';

/** Reads the page of a server anew when it changed. */
export function RefreshOnChange({ serverKey }: { readonly serverKey: string }) {
  const router = useRouter();
  const refresh = useGathered(useCallback(() => router.refresh(), [router]));
  useLive('server.changed', (message) => {
    if (message.key === serverKey) refresh();
  });
  useLive('servers.changed', refresh);
  useLive('caught_up', refresh);
  return null;
}
