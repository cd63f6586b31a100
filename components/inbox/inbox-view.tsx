'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InboxItem as Item } from '@/lib/health';
import type { Action } from '../servers/action';
import type { FilterDefinition, FilterValues } from '../filters/definition';
import { FilterBar } from '../filters/filter-bar';
import { FilteredEmpty } from '../filters/filtered-empty';
import { useFilterValues } from '../filters/use-filter-values';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';
import { Skeleton } from '../ui/skeleton';
import { useToast } from '../ui/toast';
import { fetchInbox, INBOX, type InboxPage } from './fetch-inbox';
import { InboxItem } from './inbox-item';

export type MarkItems = Action<{ ids: readonly number[]; isRead: boolean }, null>;
export type MarkAll = Action<{ upTo: number }, null>;

interface InboxViewProps {
  readonly initial: { readonly search: string; readonly page: InboxPage };
  readonly markItems: MarkItems;
  readonly markAll: MarkAll;
}

/** Changes of the state of servers, newest first, as this person has read them. */
export function InboxView({ initial, markItems, markAll }: InboxViewProps) {
  const client = useQueryClient();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const [servers, setServers] = useState(initial.page.servers);
  const definitions = listInboxFilters(servers);
  const [values, setValues] = useFilterValues(definitions);
  const search = toSearch(values);
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isPending, refetch } = useInfiniteQuery({
    queryKey: [INBOX, 'list', search],
    queryFn: ({ pageParam, signal }) => fetchInbox(search, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ items, more }) => (more ? (items.at(-1)?.id ?? null) : null),
    initialData: search === initial.search ? { pages: [initial.page], pageParams: [null] } : undefined,
  });
  const newest = data?.pages[0];
  if (newest !== undefined && newest.servers.join() !== servers.join()) setServers(newest.servers);
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const mark = async (work: () => ReturnType<MarkItems>) => {
    setPending(true);
    try {
      const answer = await work();
      if (!answer.ok) toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
      await client.invalidateQueries({ queryKey: [INBOX] });
    } finally {
      setPending(false);
    }
  };
  const first = items[0];
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <FilterBar
        label="Filter the inbox"
        definitions={definitions}
        values={values}
        onChange={setValues}
        trailing={
          first === undefined || (newest?.unread ?? 0) === 0 ? undefined : (
            <Button size="small" pending={pending} onClick={() => void mark(() => markAll({ upTo: first.id }))}>Mark all as read</Button>
          )
        }
      />
      {error === null ? null : (
        <div role="alert">
          <Callout meaning="attention" message={`The inbox could not be read: ${error.message}`} action={<Button size="small" onClick={() => void refetch()}>Try again</Button>} />
        </div>
      )}
      {isPending && error === null ? <Skeleton label="the inbox" lines={6} /> : null}
      {data !== undefined && items.length === 0 ? <Nothing search={search} definitions={definitions} values={values} onChange={setValues} /> : null}
      <ul aria-label="Changes of state" className="flex flex-col">
        {items.map((item: Item) => (
          <InboxItem key={item.id} item={item} disabled={pending} onMark={(isRead) => void mark(() => markItems({ ids: [item.id], isRead }))} />
        ))}
      </ul>
      {hasNextPage ? <div><Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>Older changes</Button></div> : null}
    </div>
  );
}

interface NothingProps {
  readonly search: string;
  readonly definitions: readonly FilterDefinition[];
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

function Nothing({ search, definitions, values, onChange }: NothingProps) {
  if (search !== '') return <FilteredEmpty what="changes" definitions={definitions} values={values} onChange={onChange} />;
  return (
    <EmptyState title="Nothing has changed yet" action={<LinkButton href="/health">Look at the health of the servers</LinkButton>}>
      When a server begins to fail, rests, needs a sign-in, is disabled or works again, it stands here until you have read it.
    </EmptyState>
  );
}

/** What the inbox is narrowed by; keys are those of the address. */
const listInboxFilters = (servers: readonly string[]): readonly FilterDefinition[] => [
  { kind: 'toggle', key: 'unread', label: 'Not read' },
  { kind: 'choices', key: 'server', label: 'Server', single: true, options: servers.map((key) => ({ value: key, label: key })) },
];

function toSearch(values: FilterValues): string {
  const server = values['server']?.[0];
  return new URLSearchParams({ ...((values['unread'] ?? []).length > 0 && { unread: '1' }), ...(server !== undefined && { server }) }).toString();
}
