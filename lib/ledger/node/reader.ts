import { Readable } from 'node:stream';
import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { ledgerEntries, ledgerEvents } from '@/db/schema';
import { ACTOR_KINDS, type ActorKind } from '@/lib/auth';
import type { CallId } from '@/lib/core';
import type { BlobStore } from '@/lib/files/node';
import { isServerKey, type ServerKey } from '@/lib/servers';
import { foldEntry, type LedgerEntry, type LedgerFilter, type LedgerRow, type StoredPayload } from '..';
import { parseStoredEvent } from './event-rows';
import { toAmongStatement, toListStatement } from './list-query';
import { parseRow, ROW_COLUMNS, type CursoredRow } from './rows';
import type { Scrubber } from './scrub';

export interface LedgerReaderOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly redactor: Scrubber;
  /** Brings what this process wrote into the search, before something is searched. */
  readonly indexTexts?: () => void;
}

/** What the ledger holds, for the choices of the filter bar. */
export interface LedgerFacets {
  readonly serverKeys: readonly ServerKey[];
  readonly tools: readonly string[];
  readonly actorNames: readonly string[];
  readonly actorKinds: readonly ActorKind[];
  readonly errorCodes: readonly string[];
}

const MAX_PAGE = 500;
/** More choices than this are no choices: the filter takes any name in the address. */
const MAX_FACETS = 500;

/** Reads the ledger; every list goes by an index. */
export class LedgerReader {
  private readonly database: Database;
  private readonly blobs: BlobStore;
  private readonly redactor: Scrubber;
  private readonly indexTexts: () => void;

  constructor(options: LedgerReaderOptions) {
    this.database = options.database;
    this.blobs = options.blobs;
    this.redactor = options.redactor;
    this.indexTexts = options.indexTexts ?? (() => undefined);
  }

  /** A page, newest first, of what lies before a sequence; `more` says whether another follows. */
  list(filter: LedgerFilter, page: { readonly before: number | null; readonly limit: number }): { rows: LedgerRow[]; more: boolean } {
    if (filter.text !== null) this.indexTexts();
    const limit = Math.min(Math.max(page.limit, 1), MAX_PAGE);
    const { sql, parameters } = toListStatement(this.database.sqlite, filter, page.before, limit + 1);
    const selected = this.database.sqlite.prepare(sql).all(...parameters);
    const rows = selected.slice(0, limit).map((row) => parseRow(row, this.redactor).row);
    return { rows, more: selected.length > limit };
  }

  /** How many entries belong to a filter, counted up to a limit. */
  count(filter: LedgerFilter, limit: number): number {
    if (filter.text !== null) this.indexTexts();
    const { sql, parameters } = toListStatement(this.database.sqlite, filter, null, limit);
    return z.int().parse(this.database.sqlite.prepare(`SELECT count(*) FROM (${sql})`).pluck().get(...parameters));
  }

  /** Those of some entries that belong to a filter, as they are now, newest first. */
  among(filter: LedgerFilter, sequences: readonly number[]): LedgerRow[] {
    if (filter.text !== null) this.indexTexts();
    const { sql, parameters } = toAmongStatement(filter, sequences.slice(0, MAX_PAGE));
    return this.database.sqlite.prepare(sql).all(...parameters).map((row) => parseRow(row, this.redactor).row);
  }

  find(sequence: number): LedgerEntry | undefined {
    const events = this.database.orm
      .select({ event: ledgerEvents.event })
      .from(ledgerEvents)
      .where(eq(ledgerEvents.entrySequence, sequence))
      .orderBy(asc(ledgerEvents.cursor))
      .all();
    return foldEntry(sequence, events.map(({ event }) => parseStoredEvent(event)));
  }

  findByCall(callId: CallId): LedgerEntry | undefined {
    const row = this.database.orm.select({ sequence: ledgerEntries.sequence }).from(ledgerEntries).where(eq(ledgerEntries.callId, callId)).get();
    return row && this.find(row.sequence);
  }

  /** The rows whose newest event lies after the cursor, in the order of those events, and where to go on from. */
  rowsAfter(cursor: number, limit: number): { rows: CursoredRow[]; cursor: number } {
    const sql = `SELECT ${ROW_COLUMNS} FROM ledger_entries WHERE last_cursor > ? ORDER BY last_cursor LIMIT ?`;
    const rows = this.database.sqlite.prepare(sql).all(cursor, limit).map((row) => parseRow(row, this.redactor));
    return { rows, cursor: rows.at(-1)?.cursor ?? cursor };
  }

  /** Whether what this process reads now holds something that is not stored yet: a crash would undo it. */
  isBeingWritten(): boolean {
    return this.database.sqlite.inTransaction;
  }

  /** The cursor of the newest event, 0 in an empty ledger. */
  newestCursor(): number {
    const row = this.database.sqlite.prepare('SELECT max(last_cursor) AS cursor FROM ledger_entries').get();
    return z.object({ cursor: z.int().nullable() }).parse(row).cursor ?? 0;
  }

  /** A number that differs from the last one when another process (or connection) has written since. */
  storeVersion(): number {
    return z.int().parse(this.database.sqlite.pragma('data_version', { simple: true }));
  }

  /** The payload's JSON, whole. */
  async payload(stored: StoredPayload): Promise<string> {
    return stored.kind === 'inline' ? stored.json : (await this.blobs.read(stored.sha256)).toString('utf8');
  }

  /** As `payload`, for downloads: in constant memory. */
  streamPayload(stored: StoredPayload): Readable {
    return stored.kind === 'inline' ? Readable.from([Buffer.from(stored.json, 'utf8')]) : this.blobs.stream(stored.sha256);
  }

  facets(): LedgerFacets {
    return {
      serverKeys: this.listDistinct('server_key').filter(isServerKey),
      tools: this.listDistinct('tool'),
      actorNames: this.listDistinct('actor_name'),
      actorKinds: ACTOR_KINDS.filter((kind) => this.listDistinct('actor_kind').includes(kind)),
      errorCodes: this.listDistinct('error_code'),
    };
  }

  /** Steps from one value to the next along the index: the cost goes by the values, not by the entries. */
  private listDistinct(column: 'server_key' | 'tool' | 'actor_name' | 'actor_kind' | 'error_code'): string[] {
    const sql = `WITH RECURSIVE steps (value) AS (
        SELECT min(${column}) FROM ledger_entries
        UNION ALL
        SELECT (SELECT min(${column}) FROM ledger_entries WHERE ${column} > steps.value) FROM steps WHERE steps.value IS NOT NULL
      ) SELECT value FROM steps WHERE value IS NOT NULL LIMIT ${MAX_FACETS}`;
    return z.array(z.string()).parse(this.database.sqlite.prepare(sql).pluck().all());
  }
}
