import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import type { Database } from '@/db/client';
import { parseServerEntry, type ServerEntry } from '@/lib/servers';
import { FileNames, StoredNames } from '.';

function entryOf(key: string, fields: object = {}): ServerEntry {
  const parsed = parseServerEntry({ key, command: 'x', ...fields });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

describe('StoredNames', () => {
  let database: Database;
  beforeEach(() => (database = openTestDatabase()));
  afterEach(() => database.close());

  it('leads from tool to name and back, for servers whose joined names look alike', () => {
    const names = new StoredNames(database);
    expect(names.nameOf(entryOf('a_b'), 'c')).toBe('a_b__c');
    expect(names.nameOf(entryOf('a'), 'b__c')).toBe('a__b__c');
    expect(names.find('a_b__c')).toEqual({ serverKey: 'a_b', tool: 'c' });
    expect(names.find('a__b__c')).toEqual({ serverKey: 'a', tool: 'b__c' });
    expect(names.find('nothing')).toBeUndefined();
  });

  it('keeps a name with its tool when the one that stood in its way is gone', () => {
    new StoredNames(database).learn(entryOf('fs'), ['files.read', 'files_read', 'capabilities']);
    const names = new StoredNames(database);
    expect(names.nameOf(entryOf('fs'), 'files.read')).toBe('fs__files_read');
    const second = names.nameOf(entryOf('fs'), 'files_read');
    expect(second).toMatch(/^fs__files_read_[0-9a-f]{8}$/);
    names.learn(entryOf('fs'), ['files_read']);
    expect(names.nameOf(entryOf('fs'), 'files_read')).toBe(second);
    expect(names.find('fs__capabilities')).toBeUndefined();
  });

  it('follows an alias or a prefix that a person sets', () => {
    const names = new StoredNames(database);
    expect(names.nameOf(entryOf('fs'), 'read')).toBe('fs__read');
    expect(names.nameOf(entryOf('fs', { prefix: false }), 'read')).toBe('read');
    expect(names.nameOf(entryOf('fs', { aliases: { read: 'look' } }), 'read')).toBe('look');
    expect(names.find('fs__read')).toBeUndefined();
    expect(names.nameOf(entryOf('other', { aliases: { x: 'look' } }), 'x')).toMatch(/^look_[0-9a-f]{8}$/);
  });
});

describe('FileNames', () => {
  it('gives the same names whatever was learnt first', () => {
    const [a, b] = [entryOf('a', { prefix: false }), entryOf('b', { prefix: false })];
    const forwards = new FileNames();
    forwards.learn(a, ['x.y', 'x_y']);
    forwards.learn(b, ['x_y']);
    const backwards = new FileNames();
    backwards.learn(b, ['x_y']);
    backwards.learn(a, ['x_y', 'x.y', 'capabilities']);
    for (const [entry, tool] of [[a, 'x.y'], [a, 'x_y'], [b, 'x_y']] as const) {
      expect(backwards.nameOf(entry, tool)).toBe(forwards.nameOf(entry, tool));
    }
    expect(forwards.nameOf(a, 'x.y')).toBe('x_y');
    expect(forwards.find('x_y')).toEqual({ serverKey: 'a', tool: 'x.y' });
    expect(forwards.nameOf(b, 'new')).toBe('new');
  });
});
