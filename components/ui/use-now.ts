'use client';

import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    now = 0;
  };
}

function readNow(): number {
  if (now === 0) now = Date.now();
  return now;
}

/** The time in ms, moving on each second with one timer for the page; null on the server and in the first render. */
export const useNow = (): number | null => useSyncExternalStore<number | null>(subscribe, readNow, () => null);
