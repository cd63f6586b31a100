import { toVisibleText } from '@/lib/core';
import type { Tombstone } from '@/lib/ledger';
import { Callout } from '../../ui/callout';
import { Moment } from '../../ui/relative-time';

/** What stands at the address of an entry that is no longer kept. */
export const DeletedEntry = ({ tombstone: { deletedAt, actorName, reason, runId } }: { readonly tombstone: Tombstone }) => (
  <>
    <Callout
      meaning="attention"
      message={`This call was deleted by ${toVisibleText(actorName)} under the retention of the ledger. ${reason}`}
      note="Its arguments and its result are gone; that it was made stays on record."
    />
    <p className="text-sm text-muted">
      Deleted <Moment at={deletedAt} />, with other calls, among them some of run <span className="font-mono text-xs">{runId}</span>.
    </p>
  </>
);
