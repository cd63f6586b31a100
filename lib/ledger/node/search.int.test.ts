import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallError } from '@/lib/calls';
import type { JsonObject } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import { EMPTY_LEDGER_FILTER, hasSearchedWord, MAX_TEXT_CHARACTERS, type LedgerFilter } from '..';
import { openTestLedger, type TestLedger } from './testing';
import { indexMissingEntries, indexOlderEntries } from './text-backfill';

let ledger: TestLedger;
beforeEach(() => {
  ledger = openTestLedger({ secrets: ['hunter2-secret'] });
});
afterEach(() => {
  ledger.close();
});

const toError = (message: string): CallError => ({
  code: 'tool_failed', message, remediation: null, remediationBy: 'server', httpStatus: null, details: null, rpcCode: null, readFromText: false,
});

async function record(args: JsonObject, answer: string, more: { readonly key?: string; readonly error?: string; readonly plumbing?: boolean } = {}): Promise<number> {
  const { sequence } = ledger.writer.open(ledger.toOpening({ serverKey: toServerKey(more.key ?? 'fs'), plumbing: more.plumbing ?? false }, args));
  const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text: answer }] });
  const error = more.error === undefined ? null : toError(more.error);
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: error === null ? 'ok' : 'tool_error', error, result });
  return sequence;
}

const find = (text: string, more: Partial<LedgerFilter> = {}): number[] =>
  ledger.reader.list({ ...EMPTY_LEDGER_FILTER, text, ...more }, { before: null, limit: 100 }).rows.map(({ sequence }) => sequence);

describe('a search in the ledger', () => {
  it('finds words of arguments, results and errors, all of them, the last as a beginning', async () => {
    const one = await record({ path: '/srv/Invoice-2026.pdf' }, 'the first line\nsecond line');
    const two = await record({ path: '/srv/other' }, 'nothing of note', { error: 'permission denied by Überwachung' });
    expect(find('invoice')).toEqual([one]);
    expect(find('INV')).toEqual([one]);
    expect(find('srv')).toEqual([two, one]);
    expect(find('srv second')).toEqual([one]);
    expect(find('srv absent')).toEqual([]);
    expect(find('/srv/invoice-2026.pdf')).toEqual([one]);
    expect(find('uberwach')).toEqual([two]);
    expect(find('tool_failed')).toEqual([two]);
    expect(find('first second')).toEqual([one]);
  });

  it('finds a running call by its arguments, and by its answer once there is one', async () => {
    const { sequence } = ledger.writer.open(ledger.toOpening({}, { query: 'quokka' }));
    expect(find('quokka')).toEqual([sequence]);
    const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text: 'a marsupial' }] });
    ledger.writer.append(sequence, { type: 'call.finished', at: 1, outcome: 'ok', error: null, result });
    expect(find('quokka marsup')).toEqual([sequence]);
  });

  it('finds the beginning of what is kept as a blob', async () => {
    const sequence = await record({ a: 1 }, `needle ${'hay and straw '.repeat(20_000)} thimble`);
    expect(find('needle')).toEqual([sequence]);
    expect(find('thimble')).toEqual([]);
  });

  it("holds nothing of the vault's values", async () => {
    await record({ password: 'hunter2-secret' }, 'it was hunter2-secret', { error: 'not hunter2-secret' });
    expect(find('hunter2')).toEqual([]);
    expect(find('secret')).toEqual([]);
  });

  it('composes with every other filter and pages', async () => {
    const all: number[] = [];
    for (let n = 0; n < 12; n += 1) all.push(await record({ n }, n % 2 === 0 ? 'even common' : 'odd common', { key: n % 3 === 0 ? 'a' : 'b', plumbing: n === 11 }));
    expect(find('common', { serverKeys: [toServerKey('a')] })).toEqual([all[9], all[6], all[3], all[0]]);
    expect(find('odd', { serverKeys: [toServerKey('b')] })).toEqual([all[7], all[5], all[1]]);
    expect(find('odd', { plumbing: true })).toContain(all[11]);
    const paged: number[] = [];
    for (let before: number | null = null, more = true; more; ) {
      const page = ledger.reader.list({ ...EMPTY_LEDGER_FILTER, text: 'common' }, { before, limit: 3 });
      paged.push(...page.rows.map(({ sequence }) => sequence));
      before = page.rows.at(-1)?.sequence ?? null;
      more = page.more;
    }
    expect(paged).toEqual(all.slice(0, 11).reverse());
  });

  it('is narrowed by what stands of a call now: while it goes on, and how it ended', async () => {
    const { sequence } = ledger.writer.open(ledger.toOpening({}, { query: 'quokka' }));
    ledger.writer.append(sequence, { type: 'call.sent', at: Date.now(), attempt: 1, era: 'modern', argumentsSent: null });
    expect(find('quokka', { outcomes: ['sent'] })).toEqual([sequence]);
    expect(find('quokka', { outcomes: ['sent', 'ok'] })).toEqual([sequence]);
    expect(find('quokka', { outcomes: ['ok'] })).toEqual([]);
    ledger.writer.append(sequence, { type: 'call.finished', at: Date.now() + 5000, outcome: 'timeout', error: toError('too slow'), result: null });
    expect(find('quokka', { outcomes: ['sent'] })).toEqual([]);
    expect(find('quokka', { outcomes: ['timeout'], errorCodes: ['tool_failed'], minDurationMs: 4000, runId: ledger.runId, actorName: 'ana@example.org' })).toEqual([sequence]);
    expect(find('quokka', { minDurationMs: 7000 })).toEqual([]);
    const silent = ledger.writer.open(ledger.toOpening({}, { query: 'quokka' })).sequence;
    ledger.writer.append(silent, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result: null });
    expect(find('quokka', { outcomes: ['ok'] })).toEqual([silent]);
  });

  it('takes the last word for a beginning however many words begin so', async () => {
    const all: number[] = [];
    for (let n = 0; n < 40; n += 1) all.unshift(await record({ n }, `word${n}`));
    expect(find('wor')).toEqual(all);
    expect(find('WORD3')).toEqual(all.filter((_, index) => [3, ...Array.from({ length: 10 }, (__, each) => 30 + each)].includes(39 - index)));
    expect(find('word39x')).toEqual([]);
  });

  it('is never syntax, whatever is written', async () => {
    await record({ a: 'x' }, 'y');
    const text = fc.string({ unit: fc.constantFrom('"', "'", '*', '(', ')', ':', '^', '-', '+', 'a', ' ', '\0', '文', 'OR', 'NEAR', 'AND', 'NOT', '{', '}', '\\', '%', '\ud800') });
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (written) => {
        fc.pre(hasSearchedWord(written) && written.length <= MAX_TEXT_CHARACTERS);
        expect(find(written).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('says of rows that arrive live which of them belong', async () => {
    const one = await record({ a: 'wanted' }, 'x');
    const two = await record({ a: 'other' }, 'x');
    const filter = { ...EMPTY_LEDGER_FILTER, text: 'wanted' };
    expect(ledger.reader.among(filter, [one, two, 99]).map(({ sequence }) => sequence)).toEqual([one]);
    expect(ledger.reader.among({ ...filter, serverKeys: [toServerKey('web')] }, [one, two])).toEqual([]);
  });
});

describe('entries of a version without a text index', () => {
  it('are brought into it in steps, going on where an earlier process stopped', async () => {
    const sequences: number[] = [];
    for (let n = 0; n < 120; n += 1) sequences.push(ledger.writer.open(ledger.toOpening({}, { word: `older${n}` })).sequence);
    const { sqlite } = ledger.database;
    ledger.writer.indexTexts();
    sqlite.exec(`INSERT INTO ledger_texts (ledger_texts) VALUES ('delete-all')`);
    sqlite.prepare(`INSERT INTO settings (name, value, changed_at) VALUES ('ledger.unindexed', ?, 0)`).run(String(sequences.at(-1)));
    const newer = await record({ word: 'newer' }, 'x');
    const options = { database: ledger.database, blobs: ledger.blobs, reader: ledger.reader };
    await indexOlderEntries(options, AbortSignal.abort());
    expect(find('older7')).toEqual([]);
    await indexOlderEntries(options, new AbortController().signal);
    expect(find('older7')).toHaveLength(11);
    expect(find('older119')).toEqual([sequences.at(-1)]);
    expect(find('newer')).toEqual([newer]);
    expect(sqlite.prepare(`SELECT count(*) FROM settings WHERE name = 'ledger.unindexed'`).pluck().get()).toBe(0);
    await indexOlderEntries(options, new AbortController().signal);
  });
});

describe('entries whose process ended before their words were searchable', () => {
  it('are brought into the search by the next start', async () => {
    const lost = await record({ word: 'lost' }, 'x');
    ledger.writer.indexTexts();
    ledger.database.sqlite.prepare('DELETE FROM ledger_texts WHERE rowid = ?').run(lost);
    expect(find('lost')).toEqual([]);
    indexMissingEntries({ database: ledger.database, blobs: ledger.blobs, reader: ledger.reader });
    expect(find('lost')).toEqual([lost]);
  });
});

describe('filters by error and duration', () => {
  it('find their entries, alone and together', async () => {
    const failed = await record({}, 'x', { error: 'no' });
    await record({}, 'x');
    const slow = ledger.writer.open(ledger.toOpening()).sequence;
    ledger.writer.append(slow, { type: 'call.finished', at: Date.now() + 60_000, outcome: 'ok', error: null, result: null });
    const running = ledger.writer.open(ledger.toOpening()).sequence;
    const list = (more: Partial<LedgerFilter>) => ledger.reader.list({ ...EMPTY_LEDGER_FILTER, ...more }, { before: null, limit: 10 }).rows.map(({ sequence }) => sequence);
    expect(list({ errorCodes: ['tool_failed', 'none'] })).toEqual([failed]);
    expect(list({ minDurationMs: 50_000 })).toEqual([slow]);
    expect(list({ minDurationMs: 50_000, errorCodes: ['tool_failed'] })).toEqual([]);
    expect(list({ maxDurationMs: 1_000_000 })).not.toContain(running);
    expect(ledger.reader.facets().errorCodes).toEqual(['tool_failed']);
  });
});
