'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useCallback, useMemo, useState } from 'react';
import type { HealthRow } from '@/lib/health';
import { useLive } from '@/lib/live/client';
import { FilterBar } from '../filters/filter-bar';
import { FilteredEmpty } from '../filters/filtered-empty';
import { useFilterValues } from '../filters/use-filter-values';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';
import { Select } from '../ui/select';
import { useGathered } from '../ui/use-gathered';
import { ActBar } from './act-bar';
import { ActResults } from './act-results';
import type { ActOnServers, ActResult } from './action';
import { fetchHealth } from './fetch-health';
import { DIRECTIONS, fitsFilters, HEALTH_SORTS, listHealthFilters, sortRows, type HealthSort } from './health-sort';
import { HealthTable } from './health-table';
import { useSelection } from './use-selection';

const HEALTH = ['health'];
/** Queues and memory change without a word. */
const READ_AGAIN_MS = 5000;

const SORT_WORDS: Record<HealthSort, string> = {
  state: 'what needs attention', server: 'server', since: 'since when', latency: 'latency', failed: 'failed calls', rests: 'rests', queue: 'queue', memory: 'memory',
};
/** What is asked first of each: the slowest, not the quickest. */
const FIRST_DOWN: ReadonlySet<HealthSort> = new Set(['since', 'latency', 'failed', 'rests', 'queue', 'memory']);

interface HealthViewProps {
  readonly initial: readonly HealthRow[];
  /** Whether servers can be acted on; the action checks again. */
  readonly manages: boolean;
  readonly act: ActOnServers;
}

/** How every server is, kept true by the live stream. */
export function HealthView({ initial, manages, act }: HealthViewProps) {
  const client = useQueryClient();
  const { data: rows, error, refetch } = useQuery({
    queryKey: HEALTH,
    queryFn: ({ signal }) => fetchHealth(signal),
    initialData: () => [...initial],
    refetchInterval: READ_AGAIN_MS,
  });
  const refresh = useGathered(useCallback(() => void client.invalidateQueries({ queryKey: HEALTH }), [client]));
  useLive('server.changed', refresh);
  useLive('servers.changed', refresh);
  useLive('caught_up', refresh);

  const definitions = listHealthFilters(rows);
  const [values, setValues] = useFilterValues(definitions);
  const [{ sort, dir }, setOrder] = useQueryStates({
    sort: parseAsStringLiteral(HEALTH_SORTS).withDefault('state'),
    dir: parseAsStringLiteral(DIRECTIONS).withDefault('up'),
  });
  const shown = useMemo(() => sortRows(rows.filter((row) => fitsFilters(row, values)), sort, dir), [rows, values, sort, dir]);
  const selection = useSelection(useMemo(() => shown.map((row) => row.key), [shown]));
  const [results, setResults] = useState<readonly ActResult[] | null>(null);
  const sortBy = (name: HealthSort) => {
    const first = FIRST_DOWN.has(name) ? 'down' : 'up';
    void setOrder({ sort: name, dir: sort !== name ? first : dir === 'up' ? 'down' : 'up' });
  };

  if (rows.length === 0) {
    return (
      <EmptyState title="No server is configured yet" action={manages ? <LinkButton variant="primary" href="/servers/new">Add a server</LinkButton> : undefined}>
        How each server stands shows here: its state, its last failure with its remedy, and how quickly it answers.
        {manages ? null : ' An operator can add one.'}
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <FilterBar
        label="Filter the servers"
        definitions={definitions}
        values={values}
        onChange={setValues}
        trailing={
          <span className="md:hidden">
            <Select
              aria-label="Order of the servers"
              value={sort}
              options={HEALTH_SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
              onChange={(event) => sortBy(HEALTH_SORTS.find((each) => each === event.target.value) ?? 'state')}
            />
          </span>
        }
      />
      {error === null ? null : (
        <Callout
          meaning="attention"
          message={`The health of the servers could not be read again: ${error.message}`}
          remedy="What you see may be out of date. Try again, or reload the page."
          action={<Button size="small" onClick={() => void refetch()}>Try again</Button>}
        />
      )}
      {manages ? <ActBar keys={selection.keys} act={act} onResults={setResults} /> : <p className="text-sm text-muted">An operator can test, restart, rest and disable servers.</p>}
      {results === null ? null : <ActResults results={results} onDismiss={() => setResults(null)} />}
      {shown.length === 0 ? (
        <FilteredEmpty what="servers" definitions={definitions} values={values} onChange={setValues} />
      ) : (
        <HealthTable rows={shown} sort={sort} direction={dir} onSort={sortBy} selection={manages ? selection : null} />
      )}
    </div>
  );
}
