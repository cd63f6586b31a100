'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';
import { useLive } from '@/lib/live/client';

/** Changes of this span are read together. */
const GATHER_MS = 300;

/** Reads the page of a server anew when it changed. */
export function RefreshOnChange({ serverKey }: { readonly serverKey: string }) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refresh = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      router.refresh();
    }, GATHER_MS);
  }, [router]);
  useLive('server.changed', (message) => {
    if (message.key === serverKey) refresh();
  });
  useLive('servers.changed', refresh);
  useLive('caught_up', refresh);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return null;
}
