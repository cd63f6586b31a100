'use client';

import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { parseAsInteger, useQueryState } from 'nuqs';
import { useCallback, useMemo, type ComponentProps } from 'react';
import type { FieldError } from '@/lib/core';
import { useLiveStatus } from '@/lib/live/client';
import { FilterBar } from '../filters/filter-bar';
import { FilteredEmpty } from '../filters/filtered-empty';
import { useFilterValues } from '../filters/use-filter-values';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';
import { Skeleton } from '../ui/skeleton';
import { ExportMenu } from './export-menu';
import type { LedgerPage } from './fetch-ledger';
import { listLedgerFilters, toLedgerFilter, type LedgerChoices } from './ledger-filters';
import { LedgerList } from './ledger-list';
import { LedgerPanel } from './ledger-panel';
import { SavedViews } from './saved-views';
import { useLedgerRows } from './use-ledger-rows';
import { useWalking } from './use-walking';

interface LedgerViewProps {
  readonly initial: { readonly search: string; readonly page: LedgerPage };
  readonly choices: LedgerChoices;
  /** What of the address could not be read. */
  readonly problems: readonly FieldError[];
  readonly seesContents: boolean;
  readonly views: Omit<ComponentProps<typeof SavedViews>, 'search'>;
}

/** The ledger: its filter, its rows, and one of them beside the list. */
export function LedgerView({ initial, choices, problems, seesContents, views }: LedgerViewProps) {
  const router = useRouter();
  const definitions = useMemo(() => listLedgerFilters(choices, seesContents), [choices, seesContents]);
  const [values, setValues] = useFilterValues(definitions);
  const filter = useMemo(() => toLedgerFilter(values, seesContents), [values, seesContents]);
  const { rows, pages, search, passed, reread } = useLedgerRows({ filter, initial });
  const [selected, setSelected] = useQueryState('entry', parseAsInteger);
  const live = useLiveStatus();

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const select = useCallback((sequence: number | null) => void setSelected(sequence), [setSelected]);
  useWalking({
    onStep: (step) => {
      const at = rows.findIndex((row) => row.sequence === selected);
      const next = rows[at < 0 ? 0 : at + step];
      if (next !== undefined) select(next.sequence);
    },
    // Addresses with a number are made at run time, beyond what typed routes can check.
    onOpen: () => selected !== null && router.push(`/ledger/${selected}` as Route),
  });

  const isFiltered = search !== '';
  return (
    <>
      <div className="border-b border-line px-4 py-2">
        <FilterBar
          label="Filter the ledger"
          definitions={definitions}
          values={values}
          onChange={setValues}
          trailing={
            <>
              <SavedViews {...views} search={search} />
              <ExportMenu search={search} seesContents={seesContents} />
            </>
          }
        />
      </div>
      {problems.length > 0 || live === 'lost' || isFetchNextPageError ? (
        <div className="flex flex-col gap-2 border-b border-line px-4 py-2">
          {problems.map((problem) => (
            <Callout key={problem.message} meaning="attention" message={problem.message} note="It was left out of the filter." />
          ))}
          {live === 'lost' ? (
            <Callout
              meaning="attention"
              message="The live stream is lost: newer calls do not show here until it is back. It is being joined again."
              action={<Button size="small" onClick={() => void pages.refetch()}>Read again now</Button>}
            />
          ) : null}
          {isFetchNextPageError ? (
            <Callout
              meaning="bad"
              message={`Older calls could not be read. ${pages.error?.message ?? ''}`}
              action={<Button size="small" onClick={() => void fetchNextPage()}>Try again</Button>}
            />
          ) : null}
        </div>
      ) : null}
      <div className="flex min-h-0 flex-1">
        {rows.length > 0 ? (
          <LedgerList rows={rows} selected={selected} onSelect={select} more={hasNextPage} onMore={readMore} passed={passed} onReread={reread} listKey={search} />
        ) : (
          <div className="flex-1 p-4">
            {pages.isPending ? (
              <Skeleton label="the ledger" lines={10} />
            ) : pages.isError ? (
              <Callout
                meaning="bad"
                message={`The ledger could not be read. ${pages.error.message}`}
                action={<Button onClick={() => void pages.refetch()}>Try again</Button>}
              />
            ) : isFiltered && search !== 'plumbing=1' ? (
              <FilteredEmpty what="calls" definitions={definitions} values={values} onChange={setValues} />
            ) : (
              <NoCalls />
            )}
          </div>
        )}
        {selected === null ? null : (
          <LedgerPanel sequence={selected} row={rows.find((row) => row.sequence === selected)} seesContents={seesContents} onClose={() => select(null)} />
        )}
      </div>
    </>
  );
}

const NoCalls = () => (
  <EmptyState title="No calls yet" action={<LinkButton href="/servers" variant="primary">Choose a server</LinkButton>}>
    <p>
      Every call of a tool is kept here: who made it, what was sent, what came back and how long it took. Open a server, pick
      one of its tools and call it; the call appears here as it happens.
    </p>
  </EmptyState>
);
