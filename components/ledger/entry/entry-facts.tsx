import { formatDuration, toVisibleText } from '@/lib/core';
import type { LedgerEntry, LedgerRow } from '@/lib/ledger';
import { KeyValueList } from '../../ui/key-value';
import { DateTime } from '../../ui/relative-time';
import { TextLink } from '../../ui/text-link';
import { toActorWord } from '../ledger-filters';
import { OutcomeStatus } from '../outcome-status';

/** Who called what, when, and how it stands: what everyone may see. */
export function EntryFacts({ entry }: { readonly entry: LedgerEntry | LedgerRow }) {
  return (
    <KeyValueList
      items={[
        { key: 'Outcome', value: <OutcomeStatus outcome={entry.outcome} sentAt={entry.sentAt} /> },
        { key: 'Server', value: <TextLink href={`/servers/${entry.serverKey}`}>{entry.serverKey}</TextLink> },
        { key: 'Tool', value: toVisibleText(entry.tool), mono: true },
        { key: 'Actor', value: `${toVisibleText(entry.actorName)} (${toActorWord(entry.actorKind)})` },
        { key: 'Requested', value: <DateTime at={entry.requestedAt} /> },
        { key: 'Took', value: entry.finishedAt === null ? null : formatDuration(entry.finishedAt - entry.requestedAt) },
        { key: 'Attempts', value: entry.attempts > 1 ? String(entry.attempts) : null },
        { key: 'Era', value: 'era' in entry ? entry.era : null },
        { key: 'Entry', value: entry.entryId, mono: true },
        { key: 'Run', value: <TextLink href={`/runs/${entry.runId}`}>{entry.runId}</TextLink>, mono: true },
        { key: 'Exposed as', value: entry.exposedName, mono: true },
      ]}
    />
  );
}
