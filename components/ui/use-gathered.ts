'use client';

import { useCallback, useEffect, useRef } from 'react';

/** Events of this span are answered together, in ms. */
const GATHER_MS = 200;

/** A function that does the work once for all its calls of a short span; what waits when the page leaves is dropped. */
export function useGathered(work: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      work();
    }, GATHER_MS);
  }, [work]);
}
