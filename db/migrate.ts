import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import { AppError } from '@/lib/core';
import type { Database } from './client';

interface MigrateOptions {
  /** `db/migrations` of the installation. */
  readonly migrationsFolder: string;
  /** Where a copy goes before a data file that holds something is changed; null makes none. */
  readonly backupDirectory: string | null;
}

/** How long a process waits for another one that migrates, in ms. */
const LOCK_TIMEOUT_MS = 60_000;

/**
 * Brings the data file to this version's schema. Safe when several processes start at once: they take turns,
 * and the later ones find nothing to do.
 * @throws AppError `unavailable` where the data was written by a newer version, or where rows would point nowhere.
 */
export function migrateDatabase(database: Database, options: MigrateOptions): void {
  const newest = Math.max(...readMigrationFiles(options).map((migration) => migration.folderMillis));
  if (appliedAt(database) === newest) return;
  withLock(database, () => {
    const applied = appliedAt(database);
    if (applied === newest) return;
    if (applied !== null && applied > newest) throw toNewerDataError(database);
    const backup = applied === null || options.backupDirectory === null ? null : backUp(database, options.backupDirectory, applied);
    applyMigrations(database, options.migrationsFolder, backup);
  });
}

/** The time (from the journal) of the newest migration that the file has, null where it has none. */
function appliedAt(database: Database): number | null {
  const table = database.sqlite.prepare(`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`).get();
  if (table === undefined) return null;
  const row = database.sqlite.prepare('SELECT max(created_at) AS at FROM __drizzle_migrations').get();
  return z.object({ at: z.number().nullable() }).parse(row).at;
}

/** The lock is a transaction on a file of its own, which the system ends with the process that holds it. */
function withLock(database: Database, run: () => void): void {
  if (database.sqlite.memory) {
    run();
    return;
  }
  const lock = new BetterSqlite3(`${database.sqlite.name}.migrating`, { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    run();
  } finally {
    lock.close();
  }
}

/** A whole and consistent copy, also of what still stands in the write-ahead log. */
function backUp(database: Database, directory: string, applied: number): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString().replace(/[:.]/g, '-');
  const file = join(directory, `before-migration-${applied}-${at}.db`);
  database.sqlite.prepare('VACUUM INTO ?').run(file);
  return file;
}

/**
 * With foreign keys on, a parent table that a migration rebuilds takes its children's rows along: the pragma
 * that generated migrations carry has no effect inside their transaction.
 */
function applyMigrations(database: Database, migrationsFolder: string, backup: string | null): void {
  database.sqlite.pragma('foreign_keys = OFF');
  try {
    migrate(database.orm, { migrationsFolder });
    const dangling = z.array(z.object({ table: z.string() })).parse(database.sqlite.pragma('foreign_key_check'));
    if (dangling.length > 0) throw toDanglingRowsError(database, dangling.map((row) => row.table), backup);
  } finally {
    database.sqlite.pragma('foreign_keys = ON');
  }
}

function toDanglingRowsError(database: Database, tables: readonly string[], backup: string | null): AppError {
  return new AppError({
    code: 'unavailable',
    message: `After the update, rows of ${[...new Set(tables)].join(', ')} in ${database.sqlite.name} point to rows that are not there.`,
    remedy: backup === null ? undefined : `Put ${backup} in its place, go back to the version before, and report this.`,
  });
}

function toNewerDataError(database: Database): AppError {
  return new AppError({
    code: 'unavailable',
    message: `The data file ${database.sqlite.name} was last opened by a newer version of Signalbox.`,
    remedy: 'Start that version, or name another folder in SIGNALBOX_HOME.',
  });
}
