import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from './client';
import { migrateDatabase } from './migrate';

export const TEST_MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** A migrated data file in a folder of its own; `close` removes both. */
export function openTestDatabase(): Database {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-db-'));
  const database = openDatabase(join(directory, 'signalbox.db'));
  migrateDatabase(database, { migrationsFolder: TEST_MIGRATIONS_FOLDER, backupDirectory: null });
  return {
    ...database,
    close: () => {
      database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
