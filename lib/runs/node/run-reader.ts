import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { ACTOR_KINDS } from '@/lib/auth';
import { OUTCOMES } from '@/lib/calls';
import { runIds, type Redactor, type RunId } from '@/lib/core';
import type { LedgerReader } from '@/lib/ledger/node';
import { serverKeySchema } from '@/lib/servers';
import type { OutcomeCount, RunFailure, RunHeader, RunRow } from '..';

interface RunReaderOptions {
  readonly database: Database;
  readonly reader: Pick<LedgerReader, 'find'>;
  readonly redactor: Pick<Redactor, 'text'>;
}

/** What a page shows at once. */
const MOST_FAILURES = 100;
/** A run is summed up over its newest entries, so that one of a million costs no more than this. */
const NEWEST_ENTRIES = 20_000;

const runId = z.string().transform((text, context) => {
  const id = runIds.parse(text);
  if (id !== undefined) return id;
  context.addIssue({ code: 'custom', message: 'a malformed id' });
  return z.NEVER;
});

const runSchema = z.object({
  place: z.int(), id: runId, kind: z.literal('session'), actorKind: z.enum(ACTOR_KINDS), actorName: z.string(),
  startedAt: z.int(), lastCallAt: z.int().nullable(), entryCount: z.int(),
});
const outcomeSchema = z.object({ outcome: z.enum(OUTCOMES), sent: z.int().transform((flag) => flag !== 0), count: z.int() });
const failureSchema = z.object({ serverKey: serverKeySchema, tool: z.string(), code: z.string(), message: z.string().nullable(), count: z.int(), lastSequence: z.int() });

const RUN_COLUMNS = `rowid AS place, id, kind, actor_kind AS actorKind, actor_name AS actorName, started_at AS startedAt, entry_count AS entryCount,
  (SELECT requested_at FROM ledger_entries WHERE run_id = runs.id ORDER BY sequence DESC LIMIT 1) AS lastCallAt`;
/** The run's entries from a sequence on; by the index of runs. */
const OF_RUN = 'FROM ledger_entries WHERE run_id = ? AND sequence >= ?';

/** Reads runs and what became of their calls. */
export class RunReader {
  private readonly sqlite: BetterSqlite3.Database;

  constructor(private readonly options: RunReaderOptions) {
    this.sqlite = options.database.sqlite;
  }

  /** Runs that have calls, newest first, after a place in that order; `next` is the place of the page that follows. */
  list(page: { readonly before: number | null; readonly limit: number }): { rows: RunRow[]; next: number | null } {
    const selected = this.sqlite
      .prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE entry_count > 0 AND rowid < ? ORDER BY rowid DESC LIMIT ?`)
      .all(page.before ?? Number.MAX_SAFE_INTEGER, page.limit + 1)
      .map((row) => runSchema.parse(row));
    const shown = selected.slice(0, page.limit);
    return { rows: shown.map(toRow), next: selected.length > page.limit ? (shown.at(-1)?.place ?? null) : null };
  }

  /** What stands above a run's entries; undefined where there is no such run. */
  findHeader(id: RunId): RunHeader | undefined {
    const found = this.sqlite.prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE id = ?`).get(id);
    if (found === undefined) return undefined;
    const oldest = this.sqlite
      .prepare('SELECT sequence FROM ledger_entries WHERE run_id = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?')
      .pluck()
      .get(id, NEWEST_ENTRIES);
    const from = typeof oldest === 'number' ? oldest + 1 : 0;
    const failures = this.listFailures(id, from);
    return {
      run: toRow(runSchema.parse(found)),
      outcomes: this.countOutcomes(id, from),
      failures: failures.slice(0, MOST_FAILURES),
      moreFailures: failures.length > MOST_FAILURES,
      newestOnly: from === 0 ? null : NEWEST_ENTRIES,
    };
  }

  private countOutcomes(id: RunId, from: number): OutcomeCount[] {
    const sql = `SELECT outcome, sent_at IS NOT NULL AS sent, COUNT(*) AS count ${OF_RUN} GROUP BY outcome, sent ORDER BY count DESC`;
    return this.sqlite.prepare(sql).all(id, from).map((row) => outcomeSchema.parse(row));
  }

  /** The newest first. Their remedies stand on the entries themselves. */
  private listFailures(id: RunId, from: number): RunFailure[] {
    const sql = `SELECT server_key AS serverKey, tool, error_code AS code, error_message AS message, COUNT(*) AS count, MAX(sequence) AS lastSequence
      ${OF_RUN} AND error_code IS NOT NULL GROUP BY server_key, tool, error_code, error_message ORDER BY lastSequence DESC LIMIT ?`;
    return this.sqlite
      .prepare(sql)
      .all(id, from, MOST_FAILURES + 1)
      .flatMap((row): RunFailure[] => {
        const failure = failureSchema.parse(row);
        const newest = this.options.reader.find(failure.lastSequence);
        if (newest === undefined) return [];
        const { redactor } = this.options;
        return [
          {
            ...failure,
            message: failure.message === null ? null : redactor.text(failure.message),
            remediation: newest.error?.remediation == null ? null : redactor.text(newest.error.remediation),
            remediationBy: newest.error?.remediationBy ?? 'console',
            outcome: newest.outcome,
            sentAt: newest.sentAt,
          },
        ];
      });
  }
}

const toRow = ({ place: _place, ...row }: z.output<typeof runSchema>): RunRow => row;
