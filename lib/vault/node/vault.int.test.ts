import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { AuditLog } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import { runIds, systemClock } from '@/lib/core';
import { readOrMakeKeyFile, SecretRedactor, Vault } from '.';

const KEY_A = 'a'.repeat(64);
const KEY_B = Buffer.alloc(32, 7).toString('base64');
const principal: Principal = { actor: { kind: 'person', name: 'ann@example.org' }, role: 'admin', sessionRunId: runIds.create() };

let database: Database;
let home: string;
let redactor: SecretRedactor;

beforeEach(() => {
  database = openTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'signalbox-vault-'));
  redactor = new SecretRedactor();
});

afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

const audit = () => new AuditLog({ database, clock: systemClock });
const openVault = (key: string | null) => new Vault({ database, audit: audit(), clock: systemClock, redactor, home, key });

describe('the vault', () => {
  it('gives back what was put in, keeps it sealed at rest, and records the change without the value', () => {
    const vault = openVault(KEY_A);
    vault.set('API_KEY', 'swordfish-1', principal);
    vault.set('API_KEY', 'swordfish-2', principal);
    expect(vault.find('API_KEY')).toBe('swordfish-2');
    expect(vault.find('OTHER')).toBeUndefined();
    expect(vault.values()).toEqual(['swordfish-2']);
    expect(vault.names()).toEqual([{ name: 'API_KEY', changedAt: expect.any(Number) as number, changedBy: 'ann@example.org', readable: true }]);
    database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    expect(readFileSync(database.sqlite.name).includes('swordfish')).toBe(false);
    vault.clear('API_KEY', principal);
    expect(vault.names()).toEqual([]);
    const records = audit().list({ before: null, limit: 10 }).records;
    expect(records.map((record) => record.type)).toEqual(['secret.cleared', 'secret.replaced', 'secret.added']);
    expect(JSON.stringify(records)).not.toContain('swordfish');
  });

  it('teaches the redactor each value, replaced ones included', () => {
    const vault = openVault(KEY_A);
    vault.set('API_KEY', 'swordfish-1', principal);
    vault.set('API_KEY', 'swordfish-2', principal);
    expect(redactor.text('swordfish-1 swordfish-2')).toBe('[redacted] [redacted]');
  });

  it.each(['', 'lower', '1A', 'A-B', 'A B', 'Ä', 'A'.repeat(65), '__proto__'])('refuses the name "%s" with the rule', (name) => {
    expect(() => openVault(KEY_A).set(name, 'x', principal)).toThrow(
      expect.objectContaining({ code: 'bad_input', fields: [{ field: 'name', message: expect.stringContaining('capital letters') as string }] }),
    );
  });

  it('says which key is missing and loses nothing when it is opened with another', () => {
    openVault(KEY_A).set('API_KEY', 'swordfish', principal);
    const wrong = openVault(KEY_B);
    expect(() => wrong.find('API_KEY')).toThrow(/API_KEY was sealed with another key than the one in SIGNALBOX_VAULT_KEY/);
    expect(() => wrong.set('API_KEY', 'new', principal)).toThrow(/sealed with another key/);
    expect(() => wrong.set('SECOND', 'new', principal)).toThrow(/sealed with another key/);
    expect(wrong.names()).toMatchObject([{ name: 'API_KEY', readable: false }]);
    expect(wrong.values()).toEqual([]);
    expect(openVault(KEY_A).find('API_KEY')).toBe('swordfish');
    wrong.clear('API_KEY', principal);
    wrong.set('API_KEY', 'new', principal);
    expect(wrong.find('API_KEY')).toBe('new');
  });

  it('opens nothing that was changed or moved to another name', () => {
    const vault = openVault(KEY_A);
    vault.set('FIRST', 'one', principal);
    vault.set('SECOND', 'two', principal);
    database.sqlite.exec(`UPDATE vault_secrets SET sealed = (SELECT sealed FROM vault_secrets WHERE name = 'FIRST') WHERE name = 'SECOND'`);
    expect(() => vault.find('SECOND')).toThrow(/another key/);
    const sealed = String(database.sqlite.prepare(`SELECT sealed FROM vault_secrets WHERE name = 'FIRST'`).pluck().get());
    const bytes = Buffer.from(sealed, 'base64');
    for (const position of [0, 13, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      database.sqlite.prepare(`UPDATE vault_secrets SET sealed = ? WHERE name = 'FIRST'`).run(changed.toString('base64'));
      expect(() => vault.find('FIRST')).toThrow(/another key/);
    }
    database.sqlite.prepare(`UPDATE vault_secrets SET sealed = 'short' WHERE name = 'FIRST'`).run();
    expect(() => vault.find('FIRST')).toThrow(/another key/);
  });
});

describe('the key file', () => {
  it('is made on first use, for its owner alone, and found again', () => {
    expect(openVault(null).names()).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
    openVault(null).set('API_KEY', 'swordfish', principal);
    expect(statSync(join(home, 'vault.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['vault.key']);
    expect(openVault(null).find('API_KEY')).toBe('swordfish');
  });

  it('is one key for everybody who asks, and one that is damaged says so', () => {
    const file = join(home, 'some.key');
    expect(readOrMakeKeyFile(file).equals(readOrMakeKeyFile(file))).toBe(true);
    writeFileSync(join(home, 'vault.key'), 'rubbish');
    expect(() => openVault(null).set('API_KEY', 'x', principal)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});
