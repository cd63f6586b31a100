import { isFinal } from '@/lib/calls';
import type { LedgerRow } from '@/lib/ledger';

/** How far a call has come; a row only ever moves up. */
function rankOf(row: LedgerRow): number {
  if (isFinal(row.outcome)) return 4;
  if (row.sentAt !== null) return 3;
  if (row.queuedAt !== null) return 2;
  return 1;
}

/**
 * Rows from pages and from the live stream as one list, newest first, each once and in its latest state. The two
 * may overlap and arrive in any order.
 */
export function mergeRows(...sources: readonly Iterable<LedgerRow>[]): readonly LedgerRow[] {
  const latest = new Map<number, LedgerRow>();
  for (const source of sources) {
    for (const row of source) {
      const known = latest.get(row.sequence);
      if (known === undefined || rankOf(row) >= rankOf(known)) latest.set(row.sequence, row);
    }
  }
  return [...latest.values()].sort((a, b) => b.sequence - a.sequence);
}

interface HeldRows {
  readonly shown: readonly LedgerRow[];
  /** How many newer ones wait at the top. */
  readonly waiting: number;
}

/** Holds back what is newer than a reader's place: nothing moves under their eyes. null follows everything. */
export function holdNewer(rows: readonly LedgerRow[], heldAt: number | null): HeldRows {
  if (heldAt === null) return { shown: rows, waiting: 0 };
  const shown = rows.filter((row) => row.sequence <= heldAt);
  return { shown, waiting: rows.length - shown.length };
}
