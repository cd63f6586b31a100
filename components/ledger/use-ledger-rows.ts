'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { matchesFilter, toLedgerSearch, type LedgerFilter, type LedgerRow } from '@/lib/ledger';
import { useLive } from '@/lib/live/client';
import { fetchLedgerPage, type LedgerPage } from './fetch-ledger';
import { mergeRows } from './merge-rows';
import { useCheckedArrivals } from './use-checked-arrivals';

/** Messages of this span are drawn together: a burst of calls costs one drawing. */
const GATHER_MS = 40;

interface LedgerRowsOptions {
  readonly filter: LedgerFilter;
  /** What the server rendered, and for which filter's address part. */
  readonly initial: { readonly search: string; readonly page: LedgerPage };
}

/** The rows of a filter: pages on demand, and what the live stream brings. */
export function useLedgerRows({ filter, initial }: LedgerRowsOptions) {
  const search = toLedgerSearch(filter).toString();
  const pages = useInfiniteQuery({
    queryKey: ['ledger', search],
    queryFn: ({ pageParam, signal }) => fetchLedgerPage(search, pageParam, signal),
    initialPageParam: null as number | null, // widened: later pages have a number
    getNextPageParam: (last) => (last.more ? last.rows.at(-1)?.sequence : undefined),
    initialData: search === initial.search ? { pages: [initial.page], pageParams: [null] } : undefined,
    // What changes comes by the stream; a page that was read a minute ago would repeat it.
    gcTime: 60_000,
  });
  const queryClient = useQueryClient();
  const arrivals = useArrivals(initial.page.cursor, () => void queryClient.invalidateQueries({ queryKey: ['ledger'] }));
  const checked = useCheckedArrivals(arrivals, filter, search);
  const fetched = pages.data?.pages;
  const rows = useMemo(() => {
    const known = fetched?.flatMap((page) => page.rows) ?? [];
    const oldest = known.at(-1)?.sequence ?? 0;
    const more = fetched?.at(-1)?.more ?? true;
    // An update of a row further down than the pages reach is found when its page is read.
    const reached = [...checked.values()].filter((row) => !more || row.sequence >= oldest);
    return mergeRows(known, reached).filter((row) => matchesFilter(filter, row));
  }, [fetched, checked, filter]);
  return { rows, pages, search };
}

/** What came since the page was made, by sequence. `onMissed` is told when some of it is no longer at hand. */
function useArrivals(after: number, onMissed: () => void): ReadonlyMap<number, LedgerRow> {
  const [arrivals, setArrivals] = useState<ReadonlyMap<number, LedgerRow>>(new Map());
  const gathered = useRef<LedgerRow[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const add = useCallback((row: LedgerRow) => {
    gathered.current.push(row);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const batch = gathered.current.splice(0);
      setArrivals((before) => new Map(mergeRows(before.values(), batch).map((each) => [each.sequence, each])));
    }, GATHER_MS);
  }, []);
  useLive('ledger.row', ({ row }) => add(row), { after, onMissed });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return arrivals;
}
