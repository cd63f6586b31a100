import type { LedgerRow } from '@/lib/ledger';
import { mergeRows } from './merge-rows';

/** What came by the live stream since the pages were read: bounded, however much comes. */
export interface Arrivals {
  readonly held: ReadonlyMap<number, LedgerRow>;
  /** Entries beyond what is held: counted, and read again when somebody wants to see them. */
  readonly passed: ReadonlySet<number>;
}

export const NO_ARRIVALS: Arrivals = { held: new Map(), passed: new Set() };

/** Rows that are held beside those of the pages. */
export const HELD_ROWS = 1000;
/** Beyond it the number of those that were passed over is "more than". */
const COUNTED_ROWS = 10_000;

/**
 * The arrivals with some more rows. A row that stands on a page, or is held, is brought up to date in its place; others
 * are held while there is room.
 */
export function takeArrivals(before: Arrivals, rows: readonly LedgerRow[], isOnPage: (sequence: number) => boolean): Arrivals {
  const passed = new Set(before.passed);
  let room = HELD_ROWS - [...before.held.keys()].filter((sequence) => !isOnPage(sequence)).length;
  const taken = new Set(before.held.keys());
  const kept = rows.filter(({ sequence }) => {
    if (taken.has(sequence) || isOnPage(sequence)) return true;
    if (room > 0 && !passed.has(sequence)) {
      room -= 1;
      taken.add(sequence);
      return true;
    }
    if (passed.size <= COUNTED_ROWS) passed.add(sequence);
    return false;
  });
  const merged = mergeRows(before.held.values(), kept);
  return { held: new Map(merged.map((row) => [row.sequence, row])), passed: passed.size === before.passed.size ? before.passed : passed };
}

/** What is left of the arrivals once the newest page was read again: what is newer than all that it may hold. */
export function settleArrivals(before: Arrivals, newest: number): Arrivals {
  const isNewer = (sequence: number): boolean => sequence > newest;
  return {
    held: new Map([...before.held].filter(([sequence]) => isNewer(sequence))),
    passed: new Set([...before.passed].filter(isNewer)),
  };
}
