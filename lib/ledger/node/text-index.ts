import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from '@/db/client';
import type { BlobStore } from '@/lib/files/node';
import { SEARCHED_CHARACTERS, toFactWords, toSearchedText, type LedgerEntry, type StoredPayload } from '..';

export interface TextIndexOptions {
  readonly database: Pick<Database, 'sqlite'>;
  readonly blobs: Pick<BlobStore, 'readHeadSync'>;
}

/**
 * What can be searched of each entry: its arguments, its result and its error as they are kept, the first 64 KiB
 * of each.
 */
export class TextIndex {
  private readonly blobs: TextIndexOptions['blobs'];
  private readonly insert: BetterSqlite3.Statement<[number, string, string, string, number]>;
  private readonly known: BetterSqlite3.Statement<[number], number>;

  constructor(options: TextIndexOptions) {
    this.blobs = options.blobs;
    this.insert = options.database.sqlite.prepare(
      `INSERT OR REPLACE INTO ledger_texts (rowid, arguments, result, error)
       SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM ledger_entries WHERE sequence = ?)`,
    );
    this.known = options.database.sqlite.prepare<[number], number>('SELECT rowid FROM ledger_texts WHERE rowid = ?').pluck();
  }

  /** Puts the entry's words in place of those that it had; of one that was deleted meanwhile nothing is kept. */
  put(entry: LedgerEntry): void {
    const given = [entry.arguments, entry.argumentsSent].map((payload) => this.wordsOf(payload, 'other'));
    const error = entry.error === null ? '' : `${entry.error.code} ${entry.error.message} ${toSearchedText(JSON.stringify(entry.error.details ?? null))}`;
    const facts = toFactWords({ ...entry, errorCode: entry.error?.code ?? null });
    this.insert.run(entry.sequence, given.join(' '), this.wordsOf(entry.result, 'result'), `${error.slice(0, 3 * SEARCHED_CHARACTERS)} ${facts}`, entry.sequence);
  }

  has(sequence: number): boolean {
    return this.known.get(sequence) !== undefined;
  }

  private wordsOf(payload: StoredPayload | null, kind: 'result' | 'other'): string {
    if (payload === null) return '';
    const json = payload.kind === 'inline' ? payload.json : this.blobs.readHeadSync(payload.sha256, SEARCHED_CHARACTERS).toString('utf8');
    return toSearchedText(json, kind);
  }
}
