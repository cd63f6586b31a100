import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase, type Database } from './client';
import { migrateDatabase } from './migrate';
import { openTestDatabase, TEST_MIGRATIONS_FOLDER } from './testing';

const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() }).loose()) }).loose();
const readJournal = (folder: string) => journalSchema.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));

let directory: string;
let opened: Database[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-migrate-'));
  opened = [];
});

afterEach(() => {
  for (const database of opened) database.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(): Database {
  const database = openDatabase(join(directory, 'signalbox.db'));
  opened.push(database);
  return database;
}

/** A copy of the migrations up to one of them, as an older version had them. */
function migrationsUpTo(count: number): string {
  const folder = join(directory, 'older-migrations');
  cpSync(TEST_MIGRATIONS_FOLDER, folder, { recursive: true });
  const journal = readJournal(folder);
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

const insertEvent = (database: Database) =>
  database.sqlite.prepare(`INSERT INTO ledger_events (entry_sequence, type, at, event) VALUES (1, 'call.opened', 1, '{}')`).run();

describe('migrations', () => {
  it('have times that rise, or the later ones would be skipped', () => {
    const times = readJournal(TEST_MIGRATIONS_FOLDER).entries.map((entry) => entry.when);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('leave exactly the triggers that guard evidence', () => {
    const database = openTestDatabase();
    const triggers = database.sqlite.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name`).pluck().all();
    database.close();
    expect(triggers).toEqual([
      'audit_events_no_delete',
      'audit_events_no_update',
      'ledger_entries_no_delete',
      'ledger_events_no_delete',
      'ledger_events_no_update',
      'ledger_tombstones_no_delete',
      'ledger_tombstones_no_update',
      'lookups_no_delete',
      'lookups_no_update',
      'upload_entries_no_delete',
      'uploads_no_delete',
    ]);
  });

  it.each(['ledger_events', 'audit_events'])('refuse to change or remove rows of %s', (table) => {
    const database = openTestDatabase();
    insertEvent(database);
    database.sqlite
      .prepare(`INSERT INTO audit_events (at, actor_kind, actor_name, type, subject, details) VALUES (1, 'cli', 'x', 'y', 'z', '{}')`)
      .run();
    expect(() => database.sqlite.exec(`UPDATE ${table} SET at = 2`)).toThrow('append-only');
    expect(() => database.sqlite.exec(`DELETE FROM ${table}`)).toThrow('append-only');
    expect(() => database.sqlite.exec(`REPLACE INTO ${table} SELECT * FROM ${table}`)).toThrow('append-only');
    expect(database.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(1);
    database.close();
  });

  it('keep the rows of an older version and copy the file first', () => {
    const database = open();
    migrateDatabase(database, { migrationsFolder: migrationsUpTo(1), backupDirectory: null });
    insertEvent(database);
    const now = Date.now();
    database.sqlite
      .prepare(`INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('u', 'U', 'u@example.org', ?, ?)`)
      .run(now, now);
    database.sqlite
      .prepare(`INSERT INTO sessions (id, token, user_id, expires_at, created_at, updated_at) VALUES ('s', 't', 'u', ?, ?, ?)`)
      .run(now, now, now);

    const backups = join(directory, 'backups');
    migrateDatabase(database, { migrationsFolder: TEST_MIGRATIONS_FOLDER, backupDirectory: backups });

    expect(database.sqlite.prepare('SELECT count(*) FROM ledger_events').pluck().get()).toBe(1);
    expect(database.sqlite.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(1);
    expect(database.sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
    const [backup, ...others] = readdirSync(backups);
    expect(others).toEqual([]);
    const copy = openDatabase(join(backups, backup!));
    opened.push(copy);
    expect(copy.sqlite.prepare('SELECT count(*) FROM ledger_events').pluck().get()).toBe(1);
  });

  it('keep the verdicts of probes, which know of no fallen back transport', () => {
    const database = open();
    migrateDatabase(database, { migrationsFolder: migrationsUpTo(3), backupDirectory: null });
    database.sqlite.prepare(`INSERT INTO era_verdicts (fingerprint, era, decided_at) VALUES ('f', 'legacy', 1)`).run();
    migrateDatabase(database, { migrationsFolder: TEST_MIGRATIONS_FOLDER, backupDirectory: null });
    expect(database.sqlite.prepare('SELECT era, transport, decided_at FROM era_verdicts').get()).toEqual({ era: 'legacy', transport: null, decided_at: 1 });
  });

  it('make no copy where there is nothing to lose or nothing to do', () => {
    const backups = join(directory, 'backups');
    const options = { migrationsFolder: TEST_MIGRATIONS_FOLDER, backupDirectory: backups };
    const database = open();
    migrateDatabase(database, options);
    migrateDatabase(database, options);
    expect(readdirSync(directory)).not.toContain('backups');
  });

  it('refuse a file that a newer version wrote', () => {
    const database = open();
    migrateDatabase(database, { migrationsFolder: TEST_MIGRATIONS_FOLDER, backupDirectory: null });
    const older = migrationsUpTo(1);
    expect(() => migrateDatabase(database, { migrationsFolder: older, backupDirectory: null })).toThrow('newer version');
  });

  it('are applied once when several processes start together', async () => {
    const program = `
      const { openDatabase } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'client.ts')))});
      const { migrateDatabase } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'migrate.ts')))});
      const database = openDatabase(${JSON.stringify(join(directory, 'signalbox.db'))});
      migrateDatabase(database, { migrationsFolder: ${JSON.stringify(TEST_MIGRATIONS_FOLDER)}, backupDirectory: null });
      database.close();`;
    const start = () => promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program]);
    const outputs = await Promise.all([start(), start(), start(), start()]);
    expect(outputs.map((output) => output.stderr)).toEqual(['', '', '', '']);
    const count = open().sqlite.prepare('SELECT count(*) FROM __drizzle_migrations').pluck().get();
    expect(count).toBe(readJournal(TEST_MIGRATIONS_FOLDER).entries.length);
  });
});
