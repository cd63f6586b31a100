import { z } from 'zod';
import { isObject } from '@/lib/core';
import type { LedgerEntry, LedgerRow, Tombstone } from '@/lib/ledger';

export interface LedgerPage {
  readonly rows: readonly LedgerRow[];
  readonly more: boolean;
  /** Where in the live stream the page stands. */
  readonly cursor: number;
}

const PAGE_ROWS = 100;

// The console's own answers: their shape is that of the types, checked where they are made.
const pageSchema = z.object({ rows: z.array(z.custom<LedgerRow>(isObject)), more: z.boolean(), cursor: z.int() });
const countSchema = z.object({ count: z.int(), more: z.boolean() });
const entrySchema = z.object({ entry: z.custom<LedgerEntry>(isObject) });
const failureSchema = z.object({ message: z.string(), deleted: z.array(z.custom<Tombstone>(isObject)).optional() });

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
  return pageSchema.parse(await fetchJson(`/api/ledger?${query.toString()}`, signal));
}

/** Those of some entries that belong to a filter, as they are now. */
export async function fetchLedgerAmong(search: string, sequences: readonly number[], signal?: AbortSignal): Promise<readonly LedgerRow[]> {
  const query = new URLSearchParams(search);
  query.set('among', sequences.join(','));
  return pageSchema.parse(await fetchJson(`/api/ledger?${query.toString()}`, signal)).rows;
}

/** How many entries a filter has; `more` where they were not all counted. */
export async function fetchLedgerCount(search: string, signal?: AbortSignal): Promise<{ readonly count: number; readonly more: boolean }> {
  return countSchema.parse(await fetchJson(`/api/ledger/count?${search}`, signal));
}

/** One entry as this person may see it. @throws DeletedEntryError where it was deleted */
export async function fetchLedgerEntry(sequence: number, signal?: AbortSignal): Promise<LedgerEntry> {
  return entrySchema.parse(await fetchJson(`/api/ledger/${sequence}`, signal)).entry;
}

async function fetchJson(address: string, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(address, { signal, headers: { accept: 'application/json' } });
  if (response.ok) return response.json();
  const failure = failureSchema.safeParse(await response.json().catch(() => null));
  if (failure.success && failure.data.deleted !== undefined) throw new DeletedEntryError(failure.data.message, failure.data.deleted);
  throw new Error(failure.success ? failure.data.message : `The console answered ${response.status} for the ledger.`);
}
