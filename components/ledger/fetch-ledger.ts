import { isFlag, isListOf, isNumber, isOwn, isShape, isText, requireShape } from '@/lib/core';
import type { LedgerEntry, LedgerRow, Tombstone } from '@/lib/ledger';

export interface LedgerPage {
  readonly rows: readonly LedgerRow[];
  readonly more: boolean;
  /** Where in the live stream the page stands. */
  readonly cursor: number;
}

const PAGE_ROWS = 100;

// The console's own answers: their shape is that of the types, checked where they are made.
const isPage = isShape<LedgerPage>({ rows: isListOf(isOwn<LedgerRow>), more: isFlag, cursor: isNumber });
const isCount = isShape<{ count: number; more: boolean }>({ count: isNumber, more: isFlag });
const isEntry = isShape<{ entry: LedgerEntry }>({ entry: isOwn<LedgerEntry> });
const isFailure = isShape<{ message: string }>({ message: isText });
const isDeletion = isShape<{ message: string; deleted: Tombstone[] }>({ message: isText, deleted: isListOf(isOwn<Tombstone>) });

/** What was asked for is an entry that the retention of the ledger deleted. */
export class DeletedEntryError extends Error {
  constructor(message: string, readonly tombstones: readonly Tombstone[]) {
    super(message);
  }
}

/** A page of the ledger before a sequence, the newest where there is none. `search` is a filter's address part. */
export async function fetchLedgerPage(search: string, before: number | null, signal?: AbortSignal): Promise<LedgerPage> {
  const query = new URLSearchParams(search);
  query.set('limit', String(PAGE_ROWS));
  if (before !== null) query.set('before', String(before));
  return requireShape(await fetchJson(`/api/ledger?${query.toString()}`, signal), isPage);
}

/** Those of some entries that belong to a filter, as they are now. */
export async function fetchLedgerAmong(search: string, sequences: readonly number[], signal?: AbortSignal): Promise<readonly LedgerRow[]> {
  const query = new URLSearchParams(search);
  query.set('among', sequences.join(','));
  return requireShape(await fetchJson(`/api/ledger?${query.toString()}`, signal), isPage).rows;
}

/** How many entries a filter has; `more` where they were not all counted. */
export async function fetchLedgerCount(search: string, signal?: AbortSignal): Promise<{ readonly count: number; readonly more: boolean }> {
  return requireShape(await fetchJson(`/api/ledger/count?${search}`, signal), isCount);
}

/** One entry as this person may see it. @throws DeletedEntryError where it was deleted */
export async function fetchLedgerEntry(sequence: number, signal?: AbortSignal): Promise<LedgerEntry> {
  return requireShape(await fetchJson(`/api/ledger/${sequence}`, signal), isEntry).entry;
}

async function fetchJson(address: string, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(address, { signal, headers: { accept: 'application/json' } });
  if (response.ok) return response.json();
  const failure: unknown = await response.json().catch(() => null);
  if (isDeletion(failure)) throw new DeletedEntryError(failure.message, failure.deleted);
  throw new Error(isFailure(failure) ? failure.message : `The console answered ${response.status} for the ledger.`);
}
