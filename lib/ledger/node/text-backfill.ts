import { setTimeout as rest } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '@/db/client';
import type { BlobStore } from '@/lib/files/node';
import type { LedgerReader } from './reader';
import { TextIndex } from './text-index';

interface BackfillOptions {
  readonly database: Pick<Database, 'sqlite'>;
  readonly blobs: Pick<BlobStore, 'readHeadSync'>;
  readonly reader: Pick<LedgerReader, 'find'>;
}

/** Written by the migration that brought the text index: entries up to this sequence are not in it yet. */
const UNINDEXED = 'ledger.unindexed';
/** So many that other work waits for some milliseconds at most. */
const CHUNK_ENTRIES = 50;
const REST_MS = 20;

/**
 * Brings entries of a version without a text index into it, newest first, in small steps; it goes on where an
 * earlier process stopped.
 */
export async function indexOlderEntries({ database: { sqlite }, blobs, reader }: BackfillOptions, signal: AbortSignal): Promise<void> {
  const readMark = sqlite.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const writeMark = sqlite.prepare<[string, string]>('UPDATE settings SET value = ? WHERE name = ?');
  const removeMark = sqlite.prepare<[string]>('DELETE FROM settings WHERE name = ?');
  const texts = new TextIndex({ database: { sqlite }, blobs });
  const indexChunk = sqlite.transaction((): boolean => {
    const mark = readMark.get(UNINDEXED);
    if (mark === undefined) return false;
    const last = z.coerce.number().int().parse(mark);
    for (let sequence = last; sequence > Math.max(0, last - CHUNK_ENTRIES); sequence -= 1) {
      const entry = texts.has(sequence) ? undefined : reader.find(sequence);
      if (entry !== undefined) texts.put(entry);
    }
    if (last > CHUNK_ENTRIES) writeMark.run(String(last - CHUNK_ENTRIES), UNINDEXED);
    else removeMark.run(UNINDEXED);
    return last > CHUNK_ENTRIES;
  });
  while (!signal.aborted && indexChunk.immediate()) await rest(REST_MS, undefined, { signal, ref: false }).catch(() => undefined);
}

/** A crash leaves out what was written in its last moment: among so many of the newest entries it is looked for. */
const RECENT_ENTRIES = 20_000;

/** Brings the newest entries into the text index that a process did not get to. */
export function indexMissingEntries({ database: { sqlite }, blobs, reader }: BackfillOptions): void {
  const missing = sqlite
    .prepare<[number], number>(
      `SELECT sequence FROM ledger_entries WHERE sequence > (SELECT max(sequence) FROM ledger_entries) - ?
       AND sequence > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = '${UNINDEXED}'), 0)
       AND NOT EXISTS (SELECT 1 FROM ledger_texts WHERE ledger_texts.rowid = ledger_entries.sequence)`,
    )
    .pluck()
    .all(RECENT_ENTRIES);
  const texts = new TextIndex({ database: { sqlite }, blobs });
  sqlite.transaction(() => {
    for (const sequence of missing) {
      const entry = reader.find(sequence);
      if (entry !== undefined) texts.put(entry);
    }
  })();
}
