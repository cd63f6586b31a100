'use client';

import { createContext, useEffect, useState, type ReactNode } from 'react';
import { LiveConnection } from './live-connection';

export const LiveContext = createContext<LiveConnection | null>(null);

/** How long a hidden tab stays on the stream: browsers allow six connections to one host over all tabs. */
const HIDDEN_STAY_MS = 10_000;

interface LiveProviderProps {
  /** The ledger's cursor when the page was made; without it the stream begins with what comes next. */
  readonly after?: number;
  readonly children: ReactNode;
}

/** Holds the tab's one live stream for all that stands under it. */
export function LiveProvider({ after, children }: LiveProviderProps) {
  const [connection] = useState(() => new LiveConnection({ after: after ?? null, open: (url) => new EventSource(url) }));
  useEffect(() => {
    connection.connect();
    let leaving: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = (): void => {
      clearTimeout(leaving);
      if (document.visibilityState === 'visible') connection.connect();
      else leaving = setTimeout(() => connection.disconnect(), HIDDEN_STAY_MS);
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(leaving);
      document.removeEventListener('visibilitychange', onVisibility);
      connection.disconnect();
    };
  }, [connection]);
  return <LiveContext value={connection}>{children}</LiveContext>;
}
