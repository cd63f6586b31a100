'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useCallback } from 'react';
import { useLive } from '@/lib/live/client';
import { FilterBar } from '../filters/filter-bar';
import { FilteredEmpty } from '../filters/filtered-empty';
import { useFilterValues } from '../filters/use-filter-values';
import { Callout } from '../ui/callout';
import { Select } from '../ui/select';
import { useGathered } from '../ui/use-gathered';
import type { CardActions } from './action';
import { EmptyServers } from './empty-servers';
import { fetchCards } from './fetch-servers';
import { compareCards, listServerFilters, matchesFilters, SORTS, SORT_WORDS } from './server-filters';
import { ServerCard } from './server-card';
import type { ServerCardView, ServerRights } from './views';

interface ServerListProps {
  readonly initial: readonly ServerCardView[];
  readonly rights: ServerRights;
  readonly actions: CardActions;
}

const CARDS = ['server-cards'];

/** The cards of all servers, kept true by the live stream. */
export function ServerList({ initial, rights, actions }: ServerListProps) {
  const { data: cards, error } = useQuery({
    queryKey: CARDS,
    queryFn: ({ signal }) => fetchCards(signal),
    initialData: () => [...initial],
  });
  useFreshCards();
  const definitions = listServerFilters(cards);
  const [values, setValues] = useFilterValues(definitions);
  const [sort, setSort] = useQueryState('sort', parseAsStringLiteral(SORTS).withDefault('attention'));
  if (cards.length === 0) return <EmptyServers rights={rights} restoreBundled={actions.restoreBundled} />;
  const shown = cards.filter((card) => matchesFilters(card, values)).sort(compareCards(sort));
  return (
    <div className="flex flex-col gap-4">
      <FilterBar
        label="Filter the servers"
        definitions={definitions}
        values={values}
        onChange={setValues}
        trailing={
          <Select
            aria-label="Order of the servers"
            value={sort}
            options={SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
            onChange={(event) => void setSort(SORTS.find((each) => each === event.target.value) ?? 'attention')}
          />
        }
      />
      {error === null ? null : <Callout meaning="attention" message={`The servers could not be read again: ${error.message}`} remedy="What you see may be out of date. Reload the page." />}
      {shown.length === 0 ? <FilteredEmpty what="servers" definitions={definitions} values={values} onChange={setValues} /> : null}
      <ul aria-label="Servers" className="grid items-start gap-4 lg:grid-cols-2 2xl:grid-cols-3">
        {shown.map((card) => (
          <li key={card.key} className="min-w-0">
            <ServerCard card={card} rights={rights} actions={actions} />
          </li>
        ))}
      </ul>
      {rights.manage && !cards.some((card) => card.key === 'analysis') ? <EmptyServers rights={rights} restoreBundled={actions.restoreBundled} onlyRestore /> : null}
    </div>
  );
}

function useFreshCards(): void {
  const client = useQueryClient();
  const refresh = useGathered(useCallback(() => void client.invalidateQueries({ queryKey: CARDS }), [client]));
  useLive('server.changed', refresh);
  useLive('servers.changed', refresh);
  useLive('caught_up', refresh);
}
