import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTOR_KINDS } from '@/lib/auth';
import { OUTCOMES } from '@/lib/calls';
import { runIds } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import type { LedgerFilter } from './filter';
import { EMPTY_LEDGER_FILTER, matchesFilter, parseLedgerFilter, toLedgerSearch, withoutContentFilters } from './filter-search';
import { hasSearchedWord } from './search-text';

const filters: fc.Arbitrary<LedgerFilter> = fc.record({
  serverKeys: fc.uniqueArray(fc.string({ minLength: 1 }).map(toServerKey), { maxLength: 3 }),
  tools: fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 3 }),
  outcomes: fc.subarray([...OUTCOMES]),
  errorCodes: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 200 }), { maxLength: 3 }),
  actorKinds: fc.subarray([...ACTOR_KINDS]),
  actorName: fc.option(fc.string({ minLength: 1, maxLength: 50 }), { nil: null }),
  runId: fc.option(fc.constant(runIds.create()), { nil: null }),
  fromAt: fc.option(fc.integer({ min: 0, max: 1_000_000_000_000 }), { nil: null }),
  toAt: fc.option(fc.integer({ min: 1_000_000_000_001, max: 4_000_000_000_000 }), { nil: null }),
  minDurationMs: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null }),
  maxDurationMs: fc.option(fc.integer({ min: 1000, max: 999_999_999_999 }), { nil: null }),
  text: fc.option(fc.string({ minLength: 1, maxLength: 200 }).map((text) => text.trim()).filter(hasSearchedWord), { nil: null }),
  plumbing: fc.boolean(),
});

describe('a ledger filter', () => {
  it('comes back whole from the address it was written to', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const address = toLedgerSearch(filter).toString();
        expect(parseLedgerFilter(new URLSearchParams(address))).toEqual({ filter, errors: [] });
      }),
    );
  });

  it('is the default view where the address says nothing', () => {
    expect(parseLedgerFilter(new URLSearchParams('server=&from='))).toEqual({ filter: EMPTY_LEDGER_FILTER, errors: [] });
    expect(toLedgerSearch(EMPTY_LEDGER_FILTER).toString()).toBe('');
  });

  it('names what it cannot read and keeps the rest', () => {
    const { filter, errors } = parseLedgerFilter(new URLSearchParams('server=A%20B&server=fs&outcome=fine&actor=robot&run=run_1&from=yesterday'));
    expect(filter.serverKeys).toEqual(['fs']);
    expect(errors.map(({ field }) => field).sort()).toEqual(['actor', 'from', 'outcome', 'run', 'server']);
    expect(errors.find(({ field }) => field === 'outcome')?.message).toContain('tool_error');
  });

  it('refuses a time that ends before it begins', () => {
    const { errors } = parseLedgerFilter(new URLSearchParams('from=2026-02-01&to=2026-01-01'));
    expect(errors).toEqual([{ field: 'to', message: expect.stringContaining('before its beginning') as string }]);
  });

  it('refuses durations and texts that can match nothing', () => {
    const { filter, errors } = parseLedgerFilter(new URLSearchParams(`min_ms=1.5s&max_ms=20&text=${'-'.repeat(5)}`));
    expect(filter).toMatchObject({ minDurationMs: null, maxDurationMs: 20, text: null });
    expect(errors.map(({ field }) => field)).toEqual(['min_ms', 'text']);
    expect(parseLedgerFilter(new URLSearchParams('min_ms=20&max_ms=10')).errors.map(({ field }) => field)).toEqual(['max_ms']);
    expect(parseLedgerFilter(new URLSearchParams(`text=${'a'.repeat(201)}`)).errors.map(({ field }) => field)).toEqual(['text']);
  });

  it('tells somebody who sees no contents nothing about them', () => {
    const { filter, errors } = withoutContentFilters({ ...EMPTY_LEDGER_FILTER, text: 'word', errorCodes: ['timeout', 'its_own'] });
    expect(filter).toEqual({ ...EMPTY_LEDGER_FILTER, errorCodes: ['timeout'] });
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('analyst'), expect.stringContaining('its_own')]);
  });

  it('sifts live rows by error and duration; a call that goes on has none', () => {
    const row = {
      plumbing: false, serverKey: toServerKey('fs'), tool: 't', outcome: 'ok', errorCode: null, actorKind: 'person', actorName: 'a', runId: runIds.create(), requestedAt: 100, finishedAt: 300,
    } as const;
    const matches = (part: Partial<LedgerFilter>, more = {}) => matchesFilter({ ...EMPTY_LEDGER_FILTER, ...part }, { ...row, ...more });
    expect([matches({ minDurationMs: 200 }), matches({ maxDurationMs: 200 }), matches({ minDurationMs: 201 }), matches({ maxDurationMs: 199 })]).toEqual([true, true, false, false]);
    expect(matches({ maxDurationMs: 1000 }, { finishedAt: null })).toBe(false);
    expect([matches({ errorCodes: ['x'] }), matches({ errorCodes: ['x'] }, { errorCode: 'x' })]).toEqual([false, true]);
  });

  it('reads times with and without an offset', () => {
    const { filter } = parseLedgerFilter(new URLSearchParams('from=2026-01-01T01:00:00+01:00&to=2026-01-01T00:30'));
    expect(filter.fromAt).toBe(Date.UTC(2026, 0, 1));
    expect(filter.toAt).toBe(Date.UTC(2026, 0, 1, 0, 30));
  });
});
