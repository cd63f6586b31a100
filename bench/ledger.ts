import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Database } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { OUTCOMES } from '@/lib/calls';
import { Redactor, runIds } from '@/lib/core';
import { BlobStore } from '@/lib/files/node';
import { EMPTY_LEDGER_FILTER, type LedgerFilter } from '@/lib/ledger';
import { LedgerReader } from '@/lib/ledger/node';
import { toServerKey } from '@/lib/servers';
import type { Benchmark, BenchmarkResult } from './benchmark';
import { RARE, seedLedger } from './seed-ledger';

const ENTRIES = 1_000_000;
const PAGE_ROWS = 100;
const REPEATS = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

interface OpenedLedger {
  readonly database: Database;
  readonly reader: LedgerReader;
  readonly newestAt: number;
}

/** A page to read: a filter, and where in the ledger. */
interface Case {
  readonly name: string;
  readonly filter: Partial<LedgerFilter>;
  readonly before?: number;
}

interface Timed {
  readonly name: string;
  readonly rows: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

export const ledgerBenchmarks: readonly Benchmark[] = [
  defineLedgerBenchmark('ledger-first-page', 'the first page of 1,000,000 entries', 50, () => [
    { name: 'default view', filter: {} },
    { name: 'with plumbing', filter: { plumbing: true } },
  ]),
  defineLedgerBenchmark('ledger-filter', 'the first page by each single filter', 50, ({ newestAt, database }) => {
    const runId = runIds.parse(String(database.sqlite.prepare('SELECT id FROM runs LIMIT 1 OFFSET 1200').pluck().get())) ?? null;
    return [
      { name: 'common server', filter: { serverKeys: [toServerKey('files')] } },
      { name: 'rare server', filter: { serverKeys: [toServerKey(RARE.server)] } },
      { name: 'three servers', filter: { serverKeys: ['files', 'web', 'mail'].map((key) => toServerKey(key)) } },
      { name: 'common tool', filter: { tools: ['search'] } },
      { name: 'rare tool', filter: { tools: [RARE.tool] } },
      ...OUTCOMES.map((outcome) => ({ name: `outcome ${outcome}`, filter: { outcomes: [outcome] } })),
      { name: 'common error', filter: { errorCodes: ['timeout'] } },
      { name: 'absent error', filter: { errorCodes: ['nothing_like_it'] } },
      { name: 'kind of actor', filter: { actorKinds: ['console'], plumbing: true } },
      { name: 'person', filter: { actorName: 'eva@example.org' } },
      { name: 'run', filter: { runId } },
      { name: 'last hour', filter: { fromAt: newestAt - DAY_MS / 24 } },
      { name: 'a day in the middle', filter: { fromAt: newestAt - 45 * DAY_MS, toAt: newestAt - 44 * DAY_MS } },
      { name: 'all but the newest day', filter: { toAt: newestAt - DAY_MS } },
      { name: 'all 90 days', filter: { fromAt: newestAt - 91 * DAY_MS, toAt: newestAt + 1 } },
      { name: 'longer than 1 s', filter: { minDurationMs: 1000 } },
      { name: 'longer than 1 min', filter: { minDurationMs: 60_000 } },
      { name: 'as long as the rare ones', filter: { minDurationMs: RARE.slowMs } },
      { name: 'shorter than 1 s', filter: { maxDurationMs: 1000 } },
    ];
  }),
  defineLedgerBenchmark('ledger-jump', 'a page deep in the ledger', 50, () => [
    { name: 'half way down', filter: {}, before: ENTRIES / 2 },
    { name: 'the last page', filter: {}, before: 100 },
    { name: 'half way down a server', filter: { serverKeys: [toServerKey('files')] }, before: ENTRIES / 2 },
    { name: 'half way down a rare server', filter: { serverKeys: [toServerKey(RARE.server)] }, before: ENTRIES / 2 },
    { name: 'half way down two outcomes', filter: { outcomes: ['timeout', 'unknown'] }, before: ENTRIES / 2 },
  ]),
  defineLedgerBenchmark('ledger-text', 'a search in arguments, results and errors', 200, ({ newestAt }) => [
    { name: 'rare word', filter: { text: RARE.word } },
    { name: 'common word', filter: { text: 'invoice' } },
    { name: 'in every entry', filter: { text: 'found' } },
    { name: 'two words', filter: { text: 'invoice entropy' } },
    { name: 'rare and common word', filter: { text: `${RARE.word} invoice` } },
    { name: 'two letters', filter: { text: 'in' } },
    { name: 'three letters', filter: { text: 'inv' } },
    { name: 'beginning of a word in every entry', filter: { text: 'foun' } },
    { name: 'no such word', filter: { text: 'zymurgy' } },
    { name: 'common word of a rare server', filter: { text: 'invoice', serverKeys: [toServerKey(RARE.server)] } },
    { name: 'rare word of a common outcome', filter: { text: RARE.word, outcomes: ['ok'] } },
    { name: 'common word of a common server', filter: { text: 'invoice', serverKeys: [toServerKey('files')] } },
    { name: 'common word where it cannot be', filter: { text: 'found', errorCodes: ['protocol_error'] } },
    { name: 'common word in a day of the middle', filter: { text: 'invoice', fromAt: newestAt - 45 * DAY_MS, toAt: newestAt - 44 * DAY_MS } },
    { name: 'deep', filter: { text: 'invoice' }, before: ENTRIES / 2 },
  ]),
];

/** Times the reading of pages as the server does it; the value is the slowest case's median. */
function defineLedgerBenchmark(name: string, about: string, aim: number, toCases: (ledger: OpenedLedger) => readonly Case[]): Benchmark {
  return {
    name,
    about,
    run: async (note): Promise<BenchmarkResult> => {
      const ledger = openLedger(note);
      try {
        const timed = toCases(ledger).map((each) => timeCase(ledger.reader, each));
        const slowest = Math.max(...timed.map(({ medianMs }) => medianMs));
        return { name, unit: 'ms', value: slowest, aim, holds: slowest <= aim, details: { entries: ENTRIES, pageRows: PAGE_ROWS, repeats: REPEATS, cases: timed } };
      } finally {
        ledger.database.close();
      }
    },
  };
}

function timeCase(reader: LedgerReader, { name, filter, before = undefined }: Case): Timed {
  const read = () => reader.list({ ...EMPTY_LEDGER_FILTER, ...filter }, { before: before ?? null, limit: PAGE_ROWS });
  const { rows } = read();
  const times = Array.from({ length: REPEATS }, () => {
    const startedAt = performance.now();
    read();
    return performance.now() - startedAt;
  }).sort((a, b) => a - b);
  return { name, rows: rows.length, medianMs: round(times[Math.floor(REPEATS / 2)] ?? NaN), p95Ms: round(times[Math.ceil(REPEATS * 0.95) - 1] ?? NaN) };
}

const round = (ms: number): number => Math.round(ms * 100) / 100;

/** Made once and kept: it takes minutes. */
function openLedger(note: (text: string) => void): OpenedLedger {
  const home = join(import.meta.dirname, '.data', `ledger-${ENTRIES}`);
  const file = join(home, 'signalbox.db');
  if (!existsSync(file)) {
    note(`making a ledger of ${ENTRIES} entries, once`);
    const unfinished = `${home}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const made = openMigrated(join(unfinished, 'signalbox.db'));
    seedLedger(made, { entries: ENTRIES, newestAt: Date.now(), note });
    made.close();
    rmSync(home, { recursive: true, force: true });
    renameSync(unfinished, home);
  }
  const database = openMigrated(file);
  const blobs = new BlobStore({ directory: join(home, 'blobs'), database });
  const newestAt = Number(database.sqlite.prepare('SELECT max(requested_at) FROM ledger_entries').pluck().get());
  return { database, newestAt, reader: new LedgerReader({ database, blobs, redactor: new Redactor([]) }) };
}

function openMigrated(file: string): Database {
  const database = openDatabase(file);
  migrateDatabase(database, { migrationsFolder: join(import.meta.dirname, '..', 'db', 'migrations'), backupDirectory: null });
  return database;
}
