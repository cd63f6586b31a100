'use client';

import { CopyButton } from '../../ui/copy-button';
import { fetchLedgerEntry } from '../fetch-ledger';

/** The entry as JSON, read when it is asked for. */
export const CopyEntry = ({ sequence }: { readonly sequence: number }) => (
  <CopyButton
    what="this entry as JSON"
    label="copy as JSON"
    size="normal"
    text={async () => JSON.stringify(await fetchLedgerEntry(sequence), null, 2)}
  />
);
