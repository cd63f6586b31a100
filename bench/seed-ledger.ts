import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from '@/db/client';
import { toConsoleError, type Outcome } from '@/lib/calls';
import { callIds, runIds } from '@/lib/core';
import { toFactWords, toSearchedText, type LedgerEvent, type StoredPayload } from '@/lib/ledger';
import { toServerKey } from '@/lib/servers';

export interface SeedOptions {
  readonly entries: number;
  /** The time of the newest entry, in ms; the oldest lies 90 days before. */
  readonly newestAt: number;
  readonly note: (text: string) => void;
}

/** What is rare enough to look for, one entry in so many. */
export const RARE = { word: 'heliotrope', every: 50_000, server: 'archive-07', tool: 'restore_snapshot', slowMs: 600_000 } as const;

const DAYS_90_MS = 90 * 24 * 60 * 60 * 1000;
const BATCH = 5000;
const CALLS_A_RUN = 400;
const PEOPLE = ['ana@example.org', 'ben@example.org', 'chloe@example.org', 'dmitri@example.org', 'eva@example.org'];
const SERVERS = ['analysis', 'files', 'web', 'tickets', 'mail', 'metrics', 'scanner', 'translate', 'sql', 'calendar'];
const TOOLS = ['read_file', 'list_directory', 'search', 'fetch', 'hashes', 'strings', 'create_issue', 'send_message', 'query', 'render', 'summarise', 'lookup'];
const WORDS = ('invoice report quarter customer server timeout certificate address route packet image photo archive member table column ' +
  'region office travel budget ticket release branch commit review sample entropy header trailer script document').split(' ');
const OUTCOMES: readonly (readonly [number, Outcome])[] = [
  [0.9, 'ok'], [0.95, 'tool_error'], [0.965, 'protocol_error'], [0.98, 'timeout'], [0.988, 'cancelled'], [0.994, 'unknown'], [0.997, 'interrupted'], [1, 'not_sent'],
];
const CODES: Partial<Record<Outcome, readonly string[]>> = {
  tool_error: ['tool_failed', 'bad_argument', 'no_such_file', 'rate_limited'], protocol_error: ['protocol_error'], timeout: ['timeout'],
  cancelled: ['cancelled'], unknown: ['connection_lost'], interrupted: ['interrupted'], not_sent: ['server_resting', 'denied'],
};

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Adds entries as the writer would have left them: events, their fold, the text index. The same each time for
 * the same options, but for the ids of runs and calls. Indexes are made when all is in.
 */
export function seedLedger({ sqlite }: Database, { entries, newestAt, note }: SeedOptions): void {
  const random = seeded(20_260_728);
  const indexes = sqlite.prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ledger_entries' AND sql IS NOT NULL`).all();
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -200000');
  for (const { name } of indexes) sqlite.exec(`DROP INDEX "${name}"`);
  sqlite.exec(`INSERT INTO ledger_texts (ledger_texts, rank) VALUES ('hashsize', 50000000)`);
  const insert = prepareInserts(sqlite);
  const startedAt = Date.now();
  let run = { id: '', number: 0, actorName: '' };
  for (let from = 0; from < entries; from += BATCH) {
    const to = Math.min(entries, from + BATCH);
    sqlite.transaction(() => {
      for (let index = from; index < to; index += 1) {
        if (index % CALLS_A_RUN === 0) {
          run = { id: runIds.create(), number: 0, actorName: pick(PEOPLE, random) };
          insert.run(run.id, run.actorName, newestAt, Math.min(CALLS_A_RUN, entries - index));
        }
        run.number += 1;
        insert.entry(toSeedEntry(index, entries, newestAt, run, random));
      }
    })();
    if (to % 50_000 === 0 || to === entries) note(`${to} of ${entries} entries, ${Math.round((to * 1000) / (Date.now() - startedAt))} a second`);
  }
  for (const { sql } of indexes) sqlite.exec(sql);
  sqlite.exec(`INSERT INTO ledger_texts (ledger_texts, rank) VALUES ('hashsize', 1048576)`);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.pragma('synchronous = NORMAL');
}

type SeedEntry = ReturnType<typeof toSeedEntry>;

function toSeedEntry(index: number, entries: number, newestAt: number, run: { id: string; number: number; actorName: string }, random: () => number) {
  const isRare = index % RARE.every === RARE.every / 2;
  const drawn = random();
  const outcome = isRare ? 'ok' : (OUTCOMES.find(([share]) => drawn < share)?.[1] ?? 'ok');
  const plumbing = !isRare && random() < 0.08;
  const serverKey = toServerKey(isRare ? RARE.server : pick(SERVERS, random));
  const tool = isRare ? RARE.tool : plumbing ? 'get_artifact' : pick(TOOLS, random);
  const requestedAt = newestAt - Math.round((DAYS_90_MS * (entries - index)) / entries);
  // Most are quick, some take minutes.
  const durationMs = isRare ? RARE.slowMs : Math.round(20 * Math.exp(random() * 4) * (random() < 0.01 ? 60 : 1));
  const code = outcome === 'ok' ? null : pick(CODES[outcome] ?? ['tool_failed'], random);
  const words = Array.from({ length: 8 }, () => pick(WORDS, random)).join(' ');
  const args = { path: `/srv/data/${pick(WORDS, random)}-${index % 9973}.txt`, query: words.slice(0, 40), limit: index % 50 };
  const answer = { content: [{ type: 'text', text: `${isRare ? `${RARE.word} ` : ''}${words}: ${index} found in ${serverKey}` }], isError: outcome === 'tool_error' };
  const error = code === null ? null : toConsoleError('protocol_error', `${tool} answered ${code}: ${words.slice(0, 30)}`, { serverKey, tool });
  return {
    callId: callIds.create(), runId: run.id, number: run.number, actorName: run.actorName, serverKey, tool, plumbing, outcome, requestedAt, durationMs,
    given: JSON.stringify(args), error: error === null || code === null ? null : { ...error, code }, result: code === null || outcome === 'tool_error' ? JSON.stringify(answer) : null,
  };
}

const pick = <Value>(values: readonly Value[], random: () => number): Value => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};

const toInline = (json: string): StoredPayload => ({ kind: 'inline', json, sizeBytes: Buffer.byteLength(json) });

function prepareInserts(sqlite: BetterSqlite3.Database) {
  const run = sqlite.prepare(
    `INSERT INTO runs (id, kind, actor_kind, actor_name, origin, entry_count, started_at) VALUES (?, 'session', 'person', ?, ?, ?, ?)`,
  );
  const entry = sqlite.prepare(
    `INSERT INTO ledger_entries (call_id, run_id, number, actor_kind, actor_name, server_key, tool, exposed_name, plumbing, outcome, error_code, error_message,
       result_bytes, requested_at, sent_at, finished_at, attempts, owner_process, owner_start_ticks, last_cursor)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, '', ?)`,
  );
  const event = sqlite.prepare('INSERT INTO ledger_events (entry_sequence, type, at, event) VALUES (?, ?, ?, ?)');
  const text = sqlite.prepare('INSERT INTO ledger_texts (rowid, arguments, result, error) VALUES (?, ?, ?, ?)');
  const newest = (table: 'ledger_entries' | 'ledger_events', column: string): number =>
    Number(sqlite.prepare(`SELECT seq FROM sqlite_sequence WHERE name = ?`).pluck().get(table) ?? sqlite.prepare(`SELECT max(${column}) FROM ${table}`).pluck().get() ?? 0);
  let sequence = newest('ledger_entries', 'sequence');
  return {
    run: (id: string, actorName: string, at: number, count: number): void => {
      run.run(id, actorName, `seed:${id}`, count, at);
    },
    entry: (seed: SeedEntry): void => {
      sequence += 1;
      const { requestedAt } = seed;
      const sentAt = seed.outcome === 'not_sent' ? null : requestedAt + 1;
      const finishedAt = requestedAt + seed.durationMs;
      const result = seed.result === null ? null : toInline(seed.result);
      const exposedName = seed.plumbing ? null : `${seed.serverKey}__${seed.tool}`;
      const actorKind = seed.plumbing ? 'console' : 'person';
      const events: LedgerEvent[] = [
        {
          type: 'call.opened', at: requestedAt,
          opening: {
            callId: callIds.parse(seed.callId) ?? callIds.create(), runId: runIds.parse(seed.runId) ?? runIds.create(), number: seed.number, step: null, actorKind,
            actorName: seed.actorName, serverKey: seed.serverKey, tool: seed.tool, exposedName, plumbing: seed.plumbing, policy: null, arguments: toInline(seed.given),
          },
        },
        ...(sentAt === null ? [] : [{ type: 'call.sent', at: sentAt, attempt: 1, era: 'modern', argumentsSent: null } as const]),
        { type: 'call.finished', at: finishedAt, outcome: seed.outcome, error: seed.error, result },
      ];
      let cursor = 0;
      for (const each of events) cursor = Number(event.run(sequence, each.type, each.at, JSON.stringify(each)).lastInsertRowid);
      entry.run(
        seed.callId, seed.runId, seed.number, actorKind, seed.actorName, seed.serverKey, seed.tool, exposedName, seed.plumbing ? 1 : 0, seed.outcome,
        seed.error?.code ?? null, seed.error?.message ?? null, result?.sizeBytes ?? null, requestedAt, sentAt, finishedAt, cursor,
      );
      const facts = toFactWords({ ...seed, runId: runIds.parse(seed.runId) ?? runIds.create(), actorKind, errorCode: seed.error?.code ?? null, finishedAt });
      const error = seed.error === null ? '' : `${seed.error.code} ${seed.error.message}`;
      text.run(sequence, toSearchedText(seed.given), seed.result === null ? '' : toSearchedText(seed.result, 'result'), `${error} ${facts}`);
    },
  };
}

