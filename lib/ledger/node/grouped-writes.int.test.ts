import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, type Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { GroupedWrites } from './grouped-writes';

let database: Database;
let other: Database;
let writes: GroupedWrites;
beforeEach(() => {
  database = openTestDatabase();
  other = openDatabase(database.sqlite.name);
  writes = new GroupedWrites(database.sqlite);
});
afterEach(() => {
  other.close();
  database.close();
});

const put = (name: string): void => {
  writes.write(() => database.sqlite.prepare(`INSERT INTO settings (name, value, changed_at) VALUES (?, '', 0)`).run(name));
};
const namesIn = ({ sqlite }: Database): unknown[] => sqlite.prepare(`SELECT name FROM settings WHERE name LIKE 'test.%' ORDER BY name`).pluck().all();

it('finds at once what it wrote, and stores it together with what else was written in the turn', async () => {
  put('test.a');
  put('test.b');
  expect(namesIn(database)).toEqual(['test.a', 'test.b']);
  expect(namesIn(other)).toEqual([]);
  await writes.stored();
  expect(namesIn(other)).toEqual(['test.a', 'test.b']);
});

it('stores at once where that is asked', () => {
  put('test.a');
  writes.commit();
  expect(namesIn(other)).toEqual(['test.a']);
  writes.commit();
});

it('undoes a write that fails and keeps its neighbours', async () => {
  put('test.a');
  expect(() => put('test.a')).toThrow('UNIQUE');
  put('test.b');
  await writes.stored();
  expect(namesIn(other)).toEqual(['test.a', 'test.b']);
});

it('goes into the transaction of whoever wrote around it', () => {
  database.sqlite.transaction(() => put('test.a')).immediate();
  expect(namesIn(other)).toEqual(['test.a']);
});

it('tells who waits, and whoever commits, that nothing could be stored', async () => {
  // Nothing refers to a session that is not there, which SQLite then looks at only when it commits.
  database.sqlite.pragma('foreign_keys = ON');
  database.sqlite.exec('CREATE TABLE test_parents (id INTEGER PRIMARY KEY)');
  database.sqlite.exec('CREATE TABLE test_children (id INTEGER REFERENCES test_parents (id) DEFERRABLE INITIALLY DEFERRED)');
  put('test.a');
  writes.write(() => database.sqlite.exec('INSERT INTO test_children VALUES (1)'));
  const waiting = writes.stored();
  expect(() => writes.commit()).toThrow('FOREIGN KEY');
  await expect(waiting).rejects.toThrow('FOREIGN KEY');
  expect(namesIn(database)).toEqual([]);
  put('test.b');
  writes.commit();
  expect(namesIn(other)).toEqual(['test.b']);
});
