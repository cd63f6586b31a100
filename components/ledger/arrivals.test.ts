import { describe, expect, test } from 'vitest';
import { callIds, runIds } from '@/lib/core';
import type { LedgerRow } from '@/lib/ledger';
import { toServerKey } from '@/lib/servers';
import { HELD_ROWS, NO_ARRIVALS, settleArrivals, takeArrivals, type Arrivals } from './arrivals';
import { holdNewer, mergeRows } from './merge-rows';

const callId = callIds.create();
const runId = runIds.create();

const makeRow = (sequence: number, outcome: LedgerRow['outcome'] = 'ok'): LedgerRow => ({
  sequence, entryId: 'ev_0001', callId, runId, step: null, actorKind: 'person', actorName: 'ada@example.org', serverKey: toServerKey('files'), tool: 'read', exposedName: null,
  plumbing: false, outcome, requestedAt: sequence, queuedAt: null, sentAt: outcome === 'requested' ? null : 1, finishedAt: outcome === 'ok' ? 2 : null, attempts: 1,
  errorCode: null, errorMessage: null, resultBytes: null,
});

const page = Array.from({ length: 100 }, (_, index) => makeRow(100 - index, index < 10 ? 'sent' : 'ok'));
const isOnPage = (sequence: number): boolean => sequence <= 100;

/** A minute of 200 calls a second, each told when it begins, is sent and ends, in batches as they are drawn. */
function pourMinute(): { readonly arrivals: Arrivals; readonly most: number } {
  let arrivals = NO_ARRIVALS;
  let most = 0;
  for (let first = 101; first <= 12_100; first += 8) {
    for (const outcome of ['requested', 'sent', 'ok'] as const) {
      const batch = Array.from({ length: Math.min(8, 12_101 - first) }, (_, index) => makeRow(first + index, outcome));
      arrivals = takeArrivals(arrivals, batch, isOnPage);
      most = Math.max(most, arrivals.held.size);
    }
  }
  return { arrivals, most };
}

describe('what the live stream brings', () => {
  test('is held up to a bound; the rest is counted, each call once', () => {
    const { arrivals, most } = pourMinute();
    expect(most).toBe(HELD_ROWS);
    expect(arrivals.passed.size).toBe(10_001);
    expect([...arrivals.held.values()].every(({ outcome }) => outcome === 'ok')).toBe(true);
    // Nobody's place moves: who reads the page sees the same rows and how many wait.
    const { shown, waiting } = holdNewer(mergeRows(page, arrivals.held.values()), 100);
    expect(shown.map(({ sequence }) => sequence)).toEqual(page.map(({ sequence }) => sequence));
    expect(waiting).toBe(HELD_ROWS);
  });

  test('brings a row of the page up to date in its place, also when nothing more is held', () => {
    const { arrivals } = pourMinute();
    const after = takeArrivals(arrivals, [makeRow(95, 'ok')], isOnPage);
    const { shown } = holdNewer(mergeRows(page, after.held.values()), 100);
    expect(shown.map(({ sequence }) => sequence)).toEqual(page.map(({ sequence }) => sequence));
    expect(shown.find(({ sequence }) => sequence === 95)?.outcome).toBe('ok');
    expect(after.passed).toBe(arrivals.passed);
  });

  test('is forgotten once the newest page was read again, but for what is newer', () => {
    const { arrivals } = pourMinute();
    const settled = settleArrivals(takeArrivals(arrivals, [makeRow(12_101)], isOnPage), 12_100);
    expect(settled.held.size + settled.passed.size).toBeLessThanOrEqual(1);
    expect(settleArrivals(arrivals, 12_100)).toEqual(NO_ARRIVALS);
    expect(takeArrivals(NO_ARRIVALS, [makeRow(12_102)], () => false).held.size).toBe(1);
  });
});
