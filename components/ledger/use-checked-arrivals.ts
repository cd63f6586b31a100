'use client';

import { useEffect, useRef, useState } from 'react';
import { matchesFilter, type LedgerFilter, type LedgerRow } from '@/lib/ledger';
import { fetchLedgerAmong } from './fetch-ledger';
import { mergeRows } from './merge-rows';

/** Between two questions, in ms: what arrives meanwhile is asked about together. */
const REST_MS = 250;
const RETRY_MS = 2000;
/** The most that the server answers about at once. */
const BATCH_ROWS = 500;

interface Checked {
  readonly search: string;
  readonly rows: ReadonlyMap<number, LedgerRow>;
}

const NONE: ReadonlyMap<number, LedgerRow> = new Map();

/**
 * What arrived and may be shown. Whether a row's contents hold the text that is searched for is known on the
 * server alone: it is asked about each arrival, and until it has answered the row is not shown.
 */
export function useCheckedArrivals(arrivals: ReadonlyMap<number, LedgerRow>, filter: LedgerFilter, search: string): ReadonlyMap<number, LedgerRow> {
  const isSearching = filter.text !== null;
  const [checked, setChecked] = useState<Checked>({ search, rows: NONE });
  const newest = useRef({ arrivals, filter });
  useEffect(() => {
    newest.current = { arrivals, filter };
  });

  useEffect(() => {
    if (!isSearching) return;
    const leaving = new AbortController();
    const known = new Map<number, LedgerRow>();
    let restsUntil = 0;
    const ask = async () => {
      const { arrivals: arrived, filter: asked } = newest.current;
      for (const sequence of known.keys()) if (!arrived.has(sequence)) known.delete(sequence);
      const batch = [...arrived.values()].filter((row) => known.get(row.sequence) !== row && matchesFilter(asked, row)).slice(0, BATCH_ROWS);
      if (batch.length === 0 || Date.now() < restsUntil) return;
      restsUntil = Infinity;
      try {
        const rows = await fetchLedgerAmong(search, batch.map(({ sequence }) => sequence), leaving.signal);
        for (const row of batch) known.set(row.sequence, row);
        setChecked((before) => {
          const merged = mergeRows(before.search === search ? before.rows.values() : [], rows);
          return { search, rows: new Map(merged.filter(({ sequence }) => arrived.has(sequence)).map((row) => [row.sequence, row])) };
        });
        restsUntil = 0;
      } catch {
        // Nothing is known of these rows yet: they are asked about again.
        restsUntil = Date.now() + RETRY_MS;
      }
    };
    const timer = setInterval(() => void ask(), REST_MS);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [search, isSearching]);

  if (!isSearching) return arrivals;
  return checked.search === search ? checked.rows : NONE;
}
