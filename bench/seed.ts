import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { seedLedger } from './seed-ledger';

const { values } = parseArgs({ options: { home: { type: 'string' }, entries: { type: 'string', default: '1000000' } } });
const entries = Number(values.entries);
if (values.home === undefined || !Number.isInteger(entries) || entries < 1) {
  console.error('Usage: npm run seed -- --home DIR [--entries N]. DIR is the data directory of a console that is not running.');
  process.exit(2);
}
const home = resolve(values.home);
mkdirSync(home, { recursive: true, mode: 0o700 });
const database = openDatabase(join(home, 'signalbox.db'));
migrateDatabase(database, { migrationsFolder: join(import.meta.dirname, '..', 'db', 'migrations'), backupDirectory: null });
seedLedger(database, { entries, newestAt: Date.now(), note: (text) => console.error(text) });
database.close();
