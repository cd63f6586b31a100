'use client';

import { useState } from 'react';
import { useLive } from '@/lib/live/client';

interface Load {
  readonly inFlight: number;
  readonly queued: number;
}

interface LiveLoadProps {
  readonly serverKey: string;
  /** As the page was read. */
  readonly load: Load;
  /** What is said where there is no call. */
  readonly none?: string;
  /** Stands before what is said. */
  readonly before?: string;
}

/** How many calls the server carries, and how many wait for a place, as of now. */
export function LiveLoad({ serverKey, load, none, before = '' }: LiveLoadProps) {
  const [told, setTold] = useState<{ readonly since: Load; readonly load: Load } | null>(null);
  useLive('server.load', ({ key, inFlight, queued }) => {
    if (key === serverKey) setTold({ since: load, load: { inFlight, queued } });
  });
  // What was told before the page was read anew is older than the page.
  const { inFlight, queued } = told?.since === load ? told.load : load;
  if (inFlight + queued === 0) return none === undefined ? null : `${before}${none}`;
  return `${before}${inFlight} in flight${queued > 0 ? `, ${queued} queued` : ''}`;
}
