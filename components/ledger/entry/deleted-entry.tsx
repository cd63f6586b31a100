import { toVisibleText } from '@/lib/core';
import type { Tombstone } from '@/lib/ledger';
import { Callout } from '../../ui/callout';
import { DateTime } from '../../ui/relative-time';

/**
 * What stands in place of an entry that is no longer kept. Where calls of several runs went on at the same time, the
 * entry was of one of them.
 */
export function DeletedEntry({ tombstones }: { readonly tombstones: readonly Tombstone[] }) {
  const [first] = tombstones;
  if (first === undefined) return null;
  return (
    <>
      <Callout
        meaning="attention"
        message={`This call was deleted by ${toVisibleText(first.actorName)} under the retention of the ledger. ${first.reason}`}
        note="Its arguments and its result are gone; that it was made stays on record."
      />
      <p className="text-sm text-muted">
        Deleted <DateTime at={first.deletedAt} />{tombstones.length === 1 ? ', with:' : ', with calls of one of these runs:'}
      </p>
      <ul aria-label="Runs that it was deleted with" className="text-sm text-muted">
        {tombstones.map(({ runId, entryCount }, index) => (
          <li key={index}>
            {entryCount.toLocaleString('en')} {entryCount === 1 ? 'call' : 'calls'} of run <span className="font-mono text-xs">{runId}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
