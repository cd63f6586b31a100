'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { matchesFilter, toLedgerSearch, type LedgerFilter, type LedgerRow } from '@/lib/ledger';
import { useLive } from '@/lib/live/client';
import { NO_ARRIVALS, settleArrivals, takeArrivals, type Arrivals } from './arrivals';
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

/** The rows of a filter: pages on demand, and what the live stream brings, as much of it as can be held. */
export function useLedgerRows({ filter, initial }: LedgerRowsOptions) {
  const search = toLedgerSearch(filter).toString();
  const queryKey = useMemo(() => ['ledger', search], [search]);
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchLedgerPage(search, pageParam, signal),
    initialPageParam: null as number | null, // widened: later pages have a number
    getNextPageParam: (last) => (last.more ? last.rows.at(-1)?.sequence : undefined),
    initialData: search === initial.search ? { pages: [initial.page], pageParams: [null] } : undefined,
    // What comes by the stream is held for the filter that is looked at: another one is read anew.
    gcTime: 0,
  });
  const queryClient = useQueryClient();
  const fetched = pages.data?.pages;
  const onPages = useMemo(() => new Set(fetched?.flatMap((page) => page.rows.map(({ sequence }) => sequence)) ?? []), [fetched]);
  const { arrivals, settle } = useArrivals(initial.page.cursor, search, filter, onPages, () => void queryClient.invalidateQueries({ queryKey: ['ledger'] }));
  const checked = useCheckedArrivals(arrivals.held, filter, search);
  const rows = useMemo(() => {
    const known = fetched?.flatMap((page) => page.rows) ?? [];
    const oldest = known.at(-1)?.sequence ?? 0;
    const more = fetched?.at(-1)?.more ?? true;
    // An update of a row further down than the pages reach is found when its page is read.
    const reached = [...checked.values()].filter((row) => !more || row.sequence >= oldest);
    return mergeRows(known, reached).filter((row) => matchesFilter(filter, row));
  }, [fetched, checked, filter]);

  const rereading = useRef<AbortController | null>(null);
  const newestArrivals = useRef(arrivals);
  useEffect(() => {
    newestArrivals.current = arrivals;
  });
  useEffect(() => () => rereading.current?.abort(), [search]);
  /** Begins anew with the newest page, which holds what was passed over. */
  const reread = useCallback(async () => {
    if (rereading.current !== null && !rereading.current.signal.aborted) return;
    const leaving = new AbortController();
    rereading.current = leaving;
    // All of these are on record when the page is read: those that it does not show do not belong to the filter.
    const { held, passed } = newestArrivals.current;
    const seen = Math.max(0, ...held.keys(), ...passed);
    try {
      const page = await fetchLedgerPage(search, null, leaving.signal);
      queryClient.setQueryData(queryKey, { pages: [page], pageParams: [null] });
      settle(Math.max(seen, page.rows[0]?.sequence ?? 0));
    } catch {
      // The live stream and the next try tell of a console that does not answer.
    } finally {
      leaving.abort();
    }
  }, [queryClient, queryKey, search, settle]);
  return { rows, pages, search, passed: arrivals.passed.size, reread };
}

interface HeldArrivals {
  readonly search: string;
  readonly arrivals: Arrivals;
}

/** What came since the page was made and belongs to the filter. `onMissed` is told when some of it is no longer at hand. */
function useArrivals(after: number, search: string, filter: LedgerFilter, onPages: ReadonlySet<number>, onMissed: () => void) {
  const [held, setHeld] = useState<HeldArrivals>({ search, arrivals: NO_ARRIVALS });
  const gathered = useRef<LedgerRow[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const newest = useRef({ search, filter, onPages });
  useEffect(() => {
    newest.current = { search, filter, onPages };
  });

  const change = useCallback((changeArrivals: (before: Arrivals) => Arrivals) => {
    const { search: of } = newest.current;
    setHeld((before) => ({ search: of, arrivals: changeArrivals(before.search === of ? before.arrivals : NO_ARRIVALS) }));
  }, []);
  const add = useCallback((row: LedgerRow) => {
    gathered.current.push(row);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const { filter: wanted, onPages: shown } = newest.current;
      const isOnPage = (sequence: number): boolean => shown.has(sequence);
      const batch = gathered.current.splice(0);
      // What is shown or held and no longer belongs to the filter is told too, so that it goes.
      change((before) => takeArrivals(before, batch.filter((each) => matchesFilter(wanted, each) || isOnPage(each.sequence) || before.held.has(each.sequence)), isOnPage));
    }, GATHER_MS);
  }, [change]);
  const settle = useCallback((sequence: number) => change((before) => settleArrivals(before, sequence)), [change]);
  useLive('ledger.row', ({ row }) => add(row), { after, onMissed });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return { arrivals: held.search === search ? held.arrivals : NO_ARRIVALS, settle };
}
