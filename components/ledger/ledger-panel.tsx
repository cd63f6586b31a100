'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parseAsInteger, useQueryState } from 'nuqs';
import type { LedgerRow } from '@/lib/ledger';
import { useLive } from '@/lib/live/client';
import { toVisibleText } from '@/lib/core';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { LinkButton } from '../ui/link-button';
import { SidePanel } from '../ui/side-panel';
import { Skeleton } from '../ui/skeleton';
import { DeletedEntry } from './entry/deleted-entry';
import { EntryDetail } from './entry/entry-detail';
import { EntryFacts } from './entry/entry-facts';
import { DeletedEntryError, fetchLedgerEntry } from './fetch-ledger';

interface LedgerPanelProps {
  readonly sequence: number;
  /** What the list knows of it already; absent where it lies outside the pages that were read. */
  readonly row: LedgerRow | undefined;
  readonly seesContents: boolean;
  readonly onClose: () => void;
}

/** An entry beside the list. */
export function LedgerPanel({ sequence, row, seesContents, onClose }: LedgerPanelProps) {
  const queryClient = useQueryClient();
  const queryKey = ['ledger-entry', sequence];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchLedgerEntry(sequence, signal), staleTime: 30_000, retry: isWorthRetrying });
  useLive('ledger.row', (message) => {
    if (message.row.sequence === sequence) void queryClient.invalidateQueries({ queryKey });
  });
  const shown = query.data ?? row;
  const title = shown === undefined ? `Entry ${sequence}` : `${shown.entryId} · ${toVisibleText(shown.tool)}`;
  return (
    <SidePanel label={title} title={title} onClose={onClose} actions={<PanelActions sequence={sequence} />}>
      {shown === undefined ? null : <EntryFacts entry={shown} />}
      {query.data === undefined ? null : <EntryDetail entry={query.data} seesContents={seesContents} />}
      {query.isPending ? <Skeleton label="the entry" lines={6} /> : null}
      {query.error instanceof DeletedEntryError ? (
        <DeletedEntry tombstones={query.error.tombstones} />
      ) : query.isError ? (
        <Callout
          meaning="bad"
          message={`This entry could not be read. ${query.error.message}`}
          action={<Button size="small" onClick={() => void query.refetch()}>Try again</Button>}
        />
      ) : null}
    </SidePanel>
  );
}

/** What was deleted stays so. */
const isWorthRetrying = (failures: number, error: Error): boolean => failures < 1 && !(error instanceof DeletedEntryError);

/** Opens the entry, or compares it with one that was picked before. */
function PanelActions({ sequence }: { readonly sequence: number }) {
  const [picked, setPicked] = useQueryState('compare', parseAsInteger);
  return (
    <>
      {picked === null || picked === sequence ? (
        <Button size="small" variant="quiet" aria-pressed={picked === sequence} onClick={() => void setPicked(picked === null ? sequence : null)}>
          {picked === null ? 'Pick to compare' : 'Picked to compare'}
        </Button>
      ) : (
        <LinkButton href={`/ledger/compare?a=${picked}&b=${sequence}`} size="small">Compare with {picked}</LinkButton>
      )}
      <LinkButton href={`/ledger/${sequence}`} size="small">Open</LinkButton>
    </>
  );
}
