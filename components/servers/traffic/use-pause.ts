'use client';

import { useState } from 'react';
import type { Traffic, WireMessage } from '@/lib/pool';
import { fetchMessages, toMessageMap } from './fetch-traffic';

/** The list as it stood when it was paused, with the texts, which the console may let go meanwhile. */
export interface PausedTraffic {
  readonly traffic: Traffic;
  readonly texts: Promise<ReadonlyMap<number, WireMessage>>;
}

/** Holds the list still; what comes waits. */
export function usePause(serverKey: string, traffic: Traffic) {
  const [paused, setPaused] = useState<PausedTraffic | null>(null);
  const toggle = () => {
    if (paused !== null) return setPaused(null);
    // Where they cannot be read now, each is asked for when it is looked at.
    const texts = fetchMessages(serverKey).then(toMessageMap, () => toMessageMap([]));
    setPaused({ traffic, texts });
  };
  return { paused, toggle };
}
