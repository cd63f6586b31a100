import { setTimeout as rest } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { settings } from '@/db/schema';
import type { AuditLog, AuditWriter } from '@/lib/audit/node';
import type { Actor } from '@/lib/auth';
import { isFinal, OUTCOMES } from '@/lib/calls';
import type { Clock } from '@/lib/core';
import type { BlobStore } from '@/lib/files/node';
import { KEEP_EVERYTHING, toRetentionSentence, type Retention, type Tombstone } from '..';

export interface RetentionOptions {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'removeIf'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Whether something else than the ledger holds a blob. */
  readonly isHeldElsewhere?: (sha256: string) => boolean;
}

const SETTING = 'ledger.retention';
const DAY_MS = 24 * 60 * 60 * 1000;
/** So many that other work waits for some milliseconds at most. */
const BATCH_ENTRIES = 100;
const REST_MS = 20;
/** A call that stores a payload puts it on its entry well within this. */
const BLOB_GRACE_MS = 60 * 60 * 1000;
/** As many runs as a batch may be of, within reason to be told. */
const FOUND_TOMBSTONES = 20;
const CONSOLE: Actor = { kind: 'console', name: 'console' };

const retentionSchema: z.ZodType<Retention> = z.object({ days: z.int().positive().nullable(), entries: z.int().positive().nullable() });
const doomedSchema = z.array(z.object({ sequence: z.int(), runId: z.string() }));

/**
 * Deletes what is older than is kept: the one path on which evidence goes. Each batch is one transaction that
 * leaves its tombstones; blobs follow when nothing holds them any more.
 */
export class LedgerRetention {
  constructor(private readonly options: RetentionOptions) {}

  read(): Retention {
    const row = this.options.database.orm.select({ value: settings.value }).from(settings).where(eq(settings.name, SETTING)).get();
    return row === undefined ? KEEP_EVERYTHING : retentionSchema.parse(row.value);
  }

  /** Takes effect with the next pass. */
  save(retention: Retention, audit: AuditWriter): void {
    const changedAt = this.options.clock.now();
    this.options.database.orm.transaction((tx) => {
      const before = this.read();
      tx.insert(settings).values({ name: SETTING, value: retention, changedAt }).onConflictDoUpdate({ target: settings.name, set: { value: retention, changedAt } }).run();
      audit.record({ type: 'ledger.retention_changed', subject: 'ledger', details: { before: { ...before }, after: { ...retention } } });
    });
  }

  /**
   * Deletes what goes by the setting as it stands, in small batches.
   * @returns how many entries went
   */
  async apply(signal: AbortSignal): Promise<number> {
    const retention = this.read();
    let deleted = 0;
    for (let batch = -1; batch !== 0 && !signal.aborted; ) {
      batch = this.deleteBatch(retention);
      deleted += batch;
      if (batch > 0) await rest(REST_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    if (deleted > 0) {
      const details = { entries: deleted, reason: toRetentionSentence(retention) };
      this.options.audit.record(CONSOLE, { type: 'ledger.deleted', subject: 'ledger', details });
    }
    this.removeBlobs();
    return deleted;
  }

  /**
   * What says that an entry, which is not there, was deleted: one tombstone, or those of several runs whose calls were
   * made at the same time. Empty where there never was such an entry.
   */
  findTombstones(sequence: number): Tombstone[] {
    const sql = `SELECT run_id AS runId, entry_count AS entryCount, deleted_at AS deletedAt, actor_name AS actorName, reason FROM ledger_tombstones
      WHERE last_sequence >= ? AND first_sequence <= ? ORDER BY last_sequence LIMIT ${FOUND_TOMBSTONES}`;
    return this.options.database.sqlite.prepare(sql).all(sequence, sequence).map((row) => tombstoneSchema.parse(row));
  }

  /** The newest tombstones, for the page of the setting. */
  listTombstones(limit: number): Tombstone[] {
    const sql = `SELECT run_id AS runId, entry_count AS entryCount, deleted_at AS deletedAt, actor_name AS actorName, reason FROM ledger_tombstones ORDER BY id DESC LIMIT ?`;
    return this.options.database.sqlite.prepare(sql).all(limit).map((row) => tombstoneSchema.parse(row));
  }

  private deleteBatch(retention: Retention): number {
    const { sqlite } = this.options.database;
    const deleteAll = sqlite.transaction((): number => {
      const doomed = this.findDoomed(retention);
      this.writeTombstones(doomed, toRetentionSentence(retention));
      for (const { sequence } of doomed) this.deleteEntry(sequence);
      return doomed.length;
    });
    return deleteAll.immediate();
  }

  /** The oldest entries that are not kept; calls that go on stay whatever their age. */
  private findDoomed({ days, entries }: Retention): z.output<typeof doomedSchema> {
    if (days === null && entries === null) return [];
    const { sqlite } = this.options.database;
    const ended = OUTCOMES.filter(isFinal);
    const beyond = entries === null ? undefined : sqlite.prepare<[number], number>('SELECT sequence FROM ledger_entries ORDER BY sequence DESC LIMIT 1 OFFSET ?').pluck().get(entries);
    const before = days === null ? -1 : this.options.clock.now() - days * DAY_MS;
    const select = (where: string): string =>
      `SELECT sequence, run_id AS runId FROM ledger_entries WHERE ${where} AND +outcome IN (${ended.map(() => '?').join(', ')})`;
    const old = sqlite.prepare(`${select('requested_at < ?')} ORDER BY requested_at LIMIT ?`).all(before, ...ended, BATCH_ENTRIES);
    if (old.length > 0) return doomedSchema.parse(old);
    return doomedSchema.parse(sqlite.prepare(`${select('sequence <= ?')} ORDER BY sequence LIMIT ?`).all(beyond ?? -1, ...ended, BATCH_ENTRIES));
  }

  private writeTombstones(doomed: z.output<typeof doomedSchema>, reason: string): void {
    const insert = this.options.database.sqlite.prepare(
      `INSERT INTO ledger_tombstones (run_id, entry_count, first_sequence, last_sequence, deleted_at, actor_kind, actor_name, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const runId of new Set(doomed.map((entry) => entry.runId))) {
      const sequences = doomed.filter((entry) => entry.runId === runId).map(({ sequence }) => sequence);
      insert.run(runId, sequences.length, Math.min(...sequences), Math.max(...sequences), this.options.clock.now(), CONSOLE.kind, CONSOLE.name, reason);
    }
  }

  private deleteEntry(sequence: number): void {
    const { sqlite } = this.options.database;
    sqlite
      .prepare('INSERT INTO released_blobs (sha256, released_at) SELECT sha256, ? FROM ledger_blobs WHERE entry_sequence = ? ON CONFLICT DO NOTHING')
      .run(this.options.clock.now(), sequence);
    sqlite.prepare('DELETE FROM ledger_blobs WHERE entry_sequence = ?').run(sequence);
    sqlite.prepare('DELETE FROM ledger_texts WHERE rowid = ?').run(sequence);
    sqlite.prepare('DELETE FROM ledger_events WHERE entry_sequence = ?').run(sequence);
    sqlite.prepare('DELETE FROM ledger_entries WHERE sequence = ?').run(sequence);
  }

  /** Removes the released blobs that nothing holds; what was stored lately may be about to be held again. */
  private removeBlobs(): void {
    const { database: { sqlite }, blobs, clock, isHeldElsewhere } = this.options;
    const isHeld = sqlite.prepare<[string], number>('SELECT 1 FROM ledger_blobs WHERE sha256 = ? LIMIT 1').pluck();
    const forget = sqlite.prepare<[string]>('DELETE FROM released_blobs WHERE sha256 = ?');
    for (const sha256 of sqlite.prepare<[], string>('SELECT sha256 FROM released_blobs').pluck().all()) {
      sqlite.transaction(() => {
        const isKept = isHeld.get(sha256) !== undefined || isHeldElsewhere?.(sha256) === true;
        if (isKept || blobs.removeIf(sha256, clock.now() - BLOB_GRACE_MS)) forget.run(sha256);
      }).immediate();
    }
  }
}

const tombstoneSchema = z.object({ runId: z.string(), entryCount: z.int(), deletedAt: z.int(), actorName: z.string(), reason: z.string() });
