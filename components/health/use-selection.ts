'use client';

import { useMemo, useState } from 'react';

/** Which rows are picked; rows that are no longer there are not. */
export interface Selection {
  readonly keys: readonly string[];
  has(key: string): boolean;
  setAll(keys: readonly string[], isPicked: boolean): void;
}

export function useSelection(present: readonly string[]): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const keys = present.filter((key) => picked.has(key));
    const current = new Set(keys);
    return {
      keys,
      has: (key) => current.has(key),
      setAll: (changed, isPicked) =>
        setPicked((before) => {
          const after = new Set(before);
          for (const key of changed) {
            if (isPicked) after.add(key);
            else after.delete(key);
          }
          return after;
        }),
    };
  }, [present, picked]);
}
