import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callIds } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import { EMPTY_LEDGER_FILTER, toFactWords, type LedgerFilter } from '..';
import { openTestLedger, type TestLedger } from './testing';

let ledger: TestLedger;
beforeAll(() => {
  ledger = openTestLedger();
  const { sqlite } = ledger.database;
  const entry = sqlite.prepare(
    `INSERT INTO ledger_entries (call_id, run_id, number, actor_kind, actor_name, server_key, tool, plumbing, outcome, error_code,
       requested_at, finished_at, attempts, owner_process, owner_start_ticks, last_cursor)
     VALUES (@callId, @runId, @n, 'person', @actorName, @serverKey, 't', 0, 'ok', @errorCode, @n, @n + @n, 1, 1, '', @n)`,
  );
  const text = sqlite.prepare('INSERT INTO ledger_texts (rowid, arguments, result, error) VALUES (?, ?, ?, ?)');
  // So many that some conditions are beyond what is counted, and few enough hits of others.
  sqlite.transaction(() => {
    for (let n = 1; n <= 12_000; n += 1) {
      const isRare = n % 2000 === 0;
      const facts = { actorName: isRare ? 'rare' : 'x', serverKey: isRare ? 'rare' : 'fs', errorCode: isRare ? 'timeout' : null };
      const { lastInsertRowid } = entry.run({ callId: callIds.create(), runId: ledger.runId, n, ...facts });
      const isFact = { ...facts, runId: ledger.runId, tool: 't', actorKind: 'person', plumbing: false, outcome: 'ok', requestedAt: n, finishedAt: 2 * n } as const;
      text.run(Number(lastInsertRowid), isRare ? 'common rare' : 'common', '', toFactWords({ ...isFact, serverKey: toServerKey(facts.serverKey) }));
    }
  })();
});
afterAll(() => {
  ledger.close();
});

/** Every statement that a read runs, with its plan. */
function explain(read: () => unknown): { readonly sql: string; readonly plan: readonly string[] }[] {
  const { sqlite } = ledger.database;
  const prepared = vi.spyOn(sqlite, 'prepare');
  read();
  const statements = prepared.mock.calls.map(([sql]) => sql);
  prepared.mockRestore();
  return statements.map((sql) => {
    const values: null[] = Array.from(sql.matchAll(/\?/g), () => null);
    return { sql, plan: sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values).map(({ detail }) => detail) };
  });
}

/** What stands in a plan beside the ways to a table. */
const STRUCTURE = /^(LIST SUBQUERY|COMPOUND QUERY|LEFT-MOST SUBQUERY|UNION ALL|CO-ROUTINE|MATERIALIZE|CORRELATED SCALAR SUBQUERY|SCALAR SUBQUERY|SETUP|RECURSIVE STEP|SCAN CONSTANT ROW|SCAN steps|SCAN \(?subquery|USING |SEARCH \(subquery-1\)|CREATE BLOOM FILTER)/i;
const BY_INDEX = /^SEARCH \w+ USING (COVERING INDEX|INDEX|INTEGER PRIMARY KEY)/;
const BY_TEXT = /^SCAN ledger_texts VIRTUAL TABLE INDEX \d+:.*M/;
/** One step to the next word of the text index. */
const BY_WORD = /^SCAN temp\.ledger_terms VIRTUAL TABLE/;

function expectIndexed(read: () => unknown, walksTable: boolean): void {
  const statements = explain(read);
  expect(statements.length).toBeGreaterThan(0);
  for (const { sql, plan } of statements) {
    for (const step of plan) {
      const says = `${step}\n  in ${plan.join('; ')}\n  of ${sql}`;
      if (BY_WORD.test(step) && sql.endsWith('WHERE term >= ? LIMIT 1')) continue;
      if (STRUCTURE.test(step) || BY_INDEX.test(step) || BY_TEXT.test(step)) continue;
      // A smallest or largest value is one step into an index.
      if (step === 'SEARCH ledger_entries' && /^SELECT (max|min)\(/i.test(sql)) continue;
      // What is sorted is the hits of a range of durations, of which there are few where it drives.
      if (step === 'USE TEMP B-TREE FOR ORDER BY' && sql.includes('INDEXED BY ledger_entries_duration')) continue;
      // Of a text in a short span of time all hits are sorted.
      if (step === 'USE TEMP B-TREE FOR ORDER BY' && sql.includes('ORDER BY +ledger_texts.rowid DESC')) continue;
      // The view of everything walks down the table in its own order, for one page.
      if (walksTable && step === 'SCAN ledger_entries' && sql.includes('ORDER BY sequence DESC LIMIT ?')) continue;
      expect.unreachable(says);
    }
  }
}

const [files, rare] = [toServerKey('fs'), toServerKey('rare')];
const FILTERS: readonly (readonly [string, Partial<LedgerFilter>])[] = [
  ['the default view', {}],
  ['a server', { serverKeys: [files] }],
  ['servers', { serverKeys: [files, rare] }],
  ['a tool', { tools: ['t'] }],
  ['outcomes', { outcomes: ['ok', 'timeout'] }],
  ['an error', { errorCodes: ['timeout'] }],
  ['a kind of actor', { actorKinds: ['person'] }],
  ['an actor', { actorName: 'x' }],
  ['a run', { runId: undefined }],
  ['a time', { fromAt: 10, toAt: 20 }],
  ['since a time', { fromAt: 10 }],
  ['a short range of durations', { minDurationMs: 11_999 }],
  ['a long range of durations', { minDurationMs: 1, maxDurationMs: 100_000 }],
  ['a common word', { text: 'common' }],
  ['a rare word', { text: 'rare' }],
  ['a beginning', { text: 'co' }],
  ['two words', { text: 'common rare' }],
  ['a common word of a rare server', { text: 'common', serverKeys: [rare] }],
  ['a rare word of a common server', { text: 'rare', serverKeys: [files] }],
  ['a word in a time', { text: 'common', fromAt: 10, toAt: 5000 }],
  ['a word and an error', { text: 'rare', errorCodes: ['timeout', 'none'] }],
  ['a word and a duration', { text: 'common', minDurationMs: 11_000 }],
  ['everything together', { serverKeys: [files, rare], tools: ['t'], outcomes: ['ok'], errorCodes: ['timeout'], actorName: 'rare', text: 'rare', minDurationMs: 1, fromAt: 1 }],
];

describe('every list of the ledger goes by an index', () => {
  it.each(FILTERS)('%s', (_name, part) => {
    for (const plumbing of [false, true]) {
      const filter = { ...EMPTY_LEDGER_FILTER, ...part, ...('runId' in part ? { runId: ledger.runId } : {}), plumbing };
      const narrowed = Object.values(part).length > 0 && !('fromAt' in part && Object.keys(part).every((key) => ['fromAt', 'toAt'].includes(key)));
      for (const before of [null, 9000, 10]) expectIndexed(() => ledger.reader.list(filter, { before, limit: 50 }), plumbing && !narrowed);
      expectIndexed(() => ledger.reader.among(filter, [1, 2, 3]), false);
    }
  });

  it('the feed, the choices of the filter bar and one entry', () => {
    expectIndexed(() => ledger.reader.rowsAfter(5, 100), false);
    expectIndexed(() => ledger.reader.newestCursor(), false);
    expectIndexed(() => ledger.reader.facets(), false);
    expectIndexed(() => ledger.reader.find(7), false);
  });

  it('finds the same whatever drives', () => {
    const list = (part: Partial<LedgerFilter>) => ledger.reader.list({ ...EMPTY_LEDGER_FILTER, ...part }, { before: null, limit: 50 }).rows.map(({ sequence }) => sequence);
    const expected = [12_000, 10_000, 8000, 6000, 4000, 2000];
    for (const part of [{ text: 'rare' }, { serverKeys: [rare] }, { text: 'common', serverKeys: [rare] }, { text: 'rare', outcomes: ['ok'] }, { text: 'common', errorCodes: ['timeout'] }] as const) {
      expect(list(part)).toEqual(expected);
    }
    expect(list({ text: 'common', minDurationMs: 11_999 })).toEqual([12_000, 11_999]);
  });
});
