import { chmodSync, closeSync, openSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { AppError } from '@/lib/core';
import * as schema from './schema';

/** One open data file: Drizzle for queries, the driver itself for pragmas and hand-written SQL. */
export interface Database {
  readonly orm: BetterSQLite3Database<typeof schema>;
  readonly sqlite: BetterSqlite3.Database;
  close(): void;
}

/** How long a statement waits for another process that writes, in ms. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens (and makes, if it is not there) the data file.
 * @throws AppError `unavailable` where the driver's binary or the file cannot be opened, with what to do.
 */
export function openDatabase(file: string): Database {
  const sqlite = openFile(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  // A call writes some thirty pages: at the default of 1,000 every thirtieth would wait for a checkpoint.
  sqlite.pragma('wal_autocheckpoint = 8000');
  sqlite.pragma('foreign_keys = ON');
  // Without it INSERT OR REPLACE removes rows past the triggers that refuse deletion.
  sqlite.pragma('recursive_triggers = ON');
  return {
    orm: drizzle(sqlite, { schema }),
    sqlite,
    close: () => {
      sqlite.close();
    },
  };
}

function openFile(file: string): BetterSqlite3.Database {
  try {
    // It holds what servers are configured with: nobody else on the machine reads it, whatever the folder allows.
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    return new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (cause) {
    throw isMissingBinary(cause) ? toMissingBinaryError(cause) : toUnreadableFileError(file, cause);
  }
}

/** `bindings` finds no file, the loader refuses it, or it was compiled for another version of Node. */
function isMissingBinary(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? cause.code : undefined;
  return code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND' || /bindings file|NODE_MODULE_VERSION/.test(cause.message);
}

function toMissingBinaryError(cause: unknown): AppError {
  return new AppError({
    code: 'unavailable',
    message: `The database driver better-sqlite3 has no binary that Node ${process.version} on ${process.platform}-${process.arch} can load.`,
    remedy:
      'Where no prebuilt binary can be had it is compiled, which needs Python 3, make and a C++ compiler ' +
      '(Debian: apt-get install -y python3 make g++; macOS: xcode-select --install). Then run: npm rebuild better-sqlite3',
    cause,
  });
}

function toUnreadableFileError(file: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AppError({
    code: 'unavailable',
    message: `The data file ${file} cannot be opened: ${reason}.`,
    remedy: 'See that its folder exists and that you may write there, or name another folder in SIGNALBOX_HOME.',
    cause,
  });
}
