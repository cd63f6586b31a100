import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OUTCOMES } from '@/lib/calls';
import { callIds, runIds } from '@/lib/core';
import type { LedgerRow } from '@/lib/ledger';
import { toServerKey } from '@/lib/servers';
import { toEditableText } from './entry/parse-stored';
import { toTimings } from './entry/timings';
import { listLedgerFilters, toLedgerFilter } from './ledger-filters';
import { holdNewer, mergeRows } from './merge-rows';
import { toOutcomeLook } from './outcome-look';

const callId = callIds.create();
const runId = runIds.create();

function makeRow(sequence: number, outcome: LedgerRow['outcome'], sentAt: number | null = null): LedgerRow {
  return {
    sequence, entryId: 'ev_0001', callId, runId, step: null, actorKind: 'person', actorName: 'ada@example.org',
    serverKey: toServerKey('files'), tool: 'read', exposedName: null, plumbing: false, outcome, requestedAt: sequence,
    queuedAt: null, sentAt, finishedAt: null, attempts: 1, errorCode: null, errorMessage: null, resultBytes: null,
  };
}

describe('pages and live rows as one list', () => {
  test('each call stands once, newest first, in its latest state, in whatever order they came', () => {
    const events = fc.array(fc.record({ sequence: fc.integer({ min: 1, max: 20 }), stage: fc.integer({ min: 0, max: 2 }) }), { maxLength: 60 });
    const stages = [makeRow(0, 'requested'), makeRow(0, 'sent', 5), makeRow(0, 'ok', 5)] as const;
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.boolean()), (list, coins) => {
        const rows = list.map(({ sequence, stage }) => ({ ...(stages[stage] ?? stages[0]), sequence }));
        const pages = rows.filter(() => coins.next().value);
        const live = rows.filter((row) => !pages.includes(row));
        const merged = mergeRows(pages, live);
        expect(merged.map((row) => row.sequence)).toEqual([...new Set(list.map((event) => event.sequence))].sort((a, b) => b - a));
        for (const row of merged) {
          const furthest = Math.max(...list.filter((event) => event.sequence === row.sequence).map((event) => event.stage));
          expect(row.outcome).toBe(stages[furthest]?.outcome);
        }
      }),
    );
  });

  test('newer rows wait while somebody reads', () => {
    const rows = [makeRow(5, 'ok'), makeRow(4, 'ok'), makeRow(3, 'ok')];
    expect(holdNewer(rows, 3)).toMatchObject({ waiting: 2, shown: [{ sequence: 3 }] });
    expect(holdNewer(rows, null).waiting).toBe(0);
  });
});

test('what may have happened is neither good nor bad', () => {
  for (const outcome of ['timeout', 'cancelled', 'unknown', 'interrupted'] as const) {
    expect(toOutcomeLook(outcome, 1).meaning).toBe('unknown');
  }
  expect(toOutcomeLook('cancelled', null).meaning).not.toBe('unknown');
  for (const outcome of OUTCOMES) expect(toOutcomeLook(outcome, null).word).not.toBe('');
});

describe('the filter in the address', () => {
  test('every key of the bar is one that the ledger reads', () => {
    const filter = toLedgerFilter({
      server: ['files'], tool: ['read', 'write'], outcome: ['ok'], actor: ['person'], actor_name: ['ada@example.org'],
      from: ['2026-01-05T00:00:00Z'], to: ['2026-01-06T00:00:00Z'], plumbing: ['1'], run: [runId],
      code: ['timeout'], min_ms: ['10'], max_ms: ['20'], text: ['two words'],
    }, true);
    expect(filter).toMatchObject({ tools: ['read', 'write'], actorName: 'ada@example.org', plumbing: true, runId, errorCodes: ['timeout'], minDurationMs: 10, maxDurationMs: 20, text: 'two words' });
    expect(filter.toAt).toBe(Date.UTC(2026, 0, 6));
    const keys = listLedgerFilters({ serverKeys: [], tools: [], actorNames: [], actorKinds: [], errorCodes: [] }, true).map((definition) => definition.key);
    expect(keys).toEqual(['text', 'server', 'tool', 'outcome', 'code', 'actor', 'actor_name', 'run', 'from', 'min_ms', 'plumbing']);
  });

  test('asks nothing about contents for somebody who does not see them', () => {
    const filter = toLedgerFilter({ text: ['secret'], code: ['timeout', 'its_own'], server: ['files'] }, false);
    expect(filter).toMatchObject({ text: null, errorCodes: ['timeout'], serverKeys: ['files'] });
  });
});

describe('the timings of a call', () => {
  test('part into queued, waiting and answering', () => {
    const { phases, totalMs } = toTimings({ requestedAt: 1000, queuedAt: 1000, sentAt: 1500, firstByteAt: 4000, finishedAt: 4200 }, 9000);
    expect(totalMs).toBe(3200);
    expect(phases.map(({ name, startMs, lengthMs }) => [name, startMs, lengthMs])).toEqual([
      ['queued', 0, 500], ['waiting', 500, 2500], ['answering', 3000, 200],
    ]);
  });

  test('go on while the call does', () => {
    const { phases } = toTimings({ requestedAt: 1000, queuedAt: null, sentAt: 1200, firstByteAt: null, finishedAt: null }, 5000);
    expect(phases.at(-1)).toMatchObject({ name: 'waiting', lengthMs: 3800, open: true });
  });
});

test('arguments are laid out for editing unless that would round a number', () => {
  expect(toEditableText('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(toEditableText('{"a":12345678901234567890}')).toBe('{"a":12345678901234567890}');
});
