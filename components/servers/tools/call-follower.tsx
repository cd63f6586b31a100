'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isFinal } from '@/lib/calls';
import { formatDuration, isObject, toVisibleText } from '@/lib/core';
import type { LedgerEntry } from '@/lib/ledger';
import { useLive } from '@/lib/live/client';
import { describeVerdict, normaliseSchema, validateJson } from '../../json/schema';
import { CancelCall as CancelCallButton } from '../../ledger/entry/cancel-call';
import { EntryDetail } from '../../ledger/entry/entry-detail';
import { parseStored } from '../../ledger/entry/parse-stored';
import { QueuePlace } from '../../ledger/entry/queue-place';
import { Verification } from '../../ledger/entry/verification';
import { fetchLedgerEntry } from '../../ledger/fetch-ledger';
import { OutcomeStatus } from '../../ledger/outcome-status';
import { Callout } from '../../ui/callout';
import { Skeleton } from '../../ui/skeleton';
import { TextLink } from '../../ui/text-link';
import type { CancelCall } from '../action';

interface CallFollowerProps {
  readonly sequence: number;
  /** Whose call it must be: the sequence comes from the address. */
  readonly serverKey: string;
  readonly tool: string;
  readonly outputSchema: unknown;
  /** Tools by which a person can see whether the call was carried out. */
  readonly verifyWith: readonly string[];
  readonly seesContents: boolean;
  /** Null for those who may not call. */
  readonly cancelCall: CancelCall | null;
}

/** In case the live stream is lost while a call runs. */
const RUNNING_POLL_MS = 3000;

/** A call from its press to its end: it belongs to the console, so leaving the page cancels nothing. */
export function CallFollower({ sequence, serverKey, tool, outputSchema, verifyWith, seesContents, cancelCall }: CallFollowerProps) {
  const client = useQueryClient();
  const queryKey = ['ledger-entry', sequence];
  const { data: entry, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchLedgerEntry(sequence, signal),
    refetchInterval: (query) => (query.state.data !== undefined && isFinal(query.state.data.outcome) ? false : RUNNING_POLL_MS),
  });
  useLive('ledger.row', (message) => {
    if (message.row.sequence === sequence) void client.invalidateQueries({ queryKey });
  });
  if (error !== null) return <Callout meaning="bad" message={error.message} />;
  if (entry === undefined) return <Skeleton label="the call" lines={2} />;
  if (entry.serverKey !== serverKey || entry.tool !== tool) return null;
  const running = !isFinal(entry.outcome);
  return (
    <section aria-label="What became of the call" aria-live="polite" aria-busy={running} className="flex min-w-0 flex-col gap-4 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <OutcomeStatus outcome={entry.outcome} sentAt={entry.sentAt} />
        {entry.finishedAt === null ? null : <span className="text-sm text-muted">{formatDuration(entry.finishedAt - entry.requestedAt)}</span>}
        {entry.outcome === 'queued' ? <QueuePlace sequence={sequence} serverKey={serverKey} /> : null}
        {running ? <span className="text-sm text-muted">{toProgressWords(entry)}</span> : null}
        <TextLink href={`/ledger/${sequence}`}>{entry.entryId} in the ledger</TextLink>
        {running && cancelCall !== null ? <CancelCallButton sequence={sequence} cancelCall={cancelCall} /> : null}
      </div>
      <MisfitNote entry={entry} outputSchema={outputSchema} />
      <EntryDetail entry={entry} seesContents={seesContents} verification={<Verification serverKey={serverKey} tools={verifyWith} />} />
    </section>
  );
}

function toProgressWords(entry: LedgerEntry): string | null {
  const last = entry.progress.at(-1);
  if (last === undefined) return null;
  const share = last.progress === null ? '' : last.total === null ? `${last.progress} ` : `${last.progress} of ${last.total} `;
  return `${share}${toVisibleText(last.text)}`;
}

/** Structured content that does not keep to the tool's own output schema is shown all the same, with this note. */
function MisfitNote({ entry, outputSchema }: { readonly entry: LedgerEntry; readonly outputSchema: unknown }) {
  const sentence = useMemo(() => {
    if (outputSchema === null || outputSchema === undefined || entry.result?.kind !== 'inline') return null;
    const parsed = parseStored(entry.result);
    const structured = parsed.ok && isObject(parsed.value) ? parsed.value['structuredContent'] : undefined;
    const normal = normaliseSchema(outputSchema);
    if (structured === undefined || !normal.ok) return null;
    const verdict = validateJson(normal.value.schema, structured);
    return verdict.kind === 'misfits' ? `The structured content does not fit the output schema that the tool states. ${describeVerdict(verdict) ?? ''}` : null;
  }, [entry.result, outputSchema]);
  return sentence === null ? null : <Callout meaning="attention" message={sentence} />;
}
