import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OUTCOMES } from '@/lib/calls';
import { runIds } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import { EMPTY_LEDGER_FILTER, matchesFilter } from './filter-search';
import type { LedgerFilter } from './filter';
import { listFactGroups, toFactWords, type FilteredFacts } from './search-facts';

const RUNS = [runIds.create(), runIds.create()];
const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);

const facts: fc.Arbitrary<FilteredFacts> = fc.record({
  runId: pick(...RUNS), serverKey: pick('a', 'b').map((key) => toServerKey(key)), tool: pick('read', 'a b', ''), actorKind: pick('person', 'cli'), actorName: pick('ana', 'ben'),
  plumbing: fc.boolean(), outcome: pick(...OUTCOMES), errorCode: pick(null, 'timeout', 'its_own'), requestedAt: fc.constant(1000),
  finishedAt: fc.oneof(fc.constant(null), fc.nat({ max: 10_000_000 }).map((ms) => 1000 + ms), fc.constant(500), fc.constant(Number.MAX_SAFE_INTEGER)),
});
const filters: fc.Arbitrary<LedgerFilter> = fc.record({
  serverKeys: fc.subarray(['a', 'b', 'c'].map((key) => toServerKey(key))), tools: fc.subarray(['read', 'a b', 'other']), outcomes: fc.subarray([...OUTCOMES], { maxLength: 3 }),
  errorCodes: fc.subarray(['timeout', 'its_own']), actorKinds: fc.subarray(['person', 'cli'] as const), actorName: pick(null, 'ana'), runId: pick(null, ...RUNS),
  minDurationMs: fc.option(fc.nat({ max: 10_000_000 })), maxDurationMs: fc.option(fc.nat({ max: 10_000_000 })), plumbing: fc.boolean(),
}).map((part) => ({ ...EMPTY_LEDGER_FILTER, ...part }));

it('never narrows an entry away that a filter takes', () => {
  fc.assert(
    fc.property(facts, filters, fc.boolean(), (entry, filter, withDuration) => {
      const words = toFactWords(entry).split(' ');
      const isFound = listFactGroups(filter, withDuration).every((group) => group.some((word) => words.includes(word)));
      if (matchesFilter(filter, entry)) expect(isFound).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('narrows by each condition', () => {
  const entry: FilteredFacts = {
    runId: RUNS[0]!, serverKey: toServerKey('a'), tool: 'read', actorKind: 'person', actorName: 'ana', plumbing: true, outcome: 'ok', errorCode: null, requestedAt: 0, finishedAt: 2000,
  };
  const words = new Set(toFactWords(entry).split(' '));
  const others: readonly Partial<LedgerFilter>[] = [
    { runId: RUNS[1] }, { serverKeys: [toServerKey('b')] }, { tools: ['write'] }, { actorKinds: ['cli'] }, { actorName: 'ben' }, { plumbing: false }, { outcomes: ['timeout'] },
    { errorCodes: ['timeout'] }, { minDurationMs: 3000 }, { maxDurationMs: 1000 },
  ];
  for (const other of others) {
    const groups = listFactGroups({ ...EMPTY_LEDGER_FILTER, plumbing: true, ...other }, true);
    expect(groups.map((group) => group.filter((word) => words.has(word)))).toEqual([[]]);
  }
});
