import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import type { Database } from '@/db/client';
import { AuditLog } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import { runIds } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import { mendToolList } from '@/lib/manifests';
import { PinStore } from '@/lib/manifests/node';
import { toServerKey, type ServerRecord } from '..';
import { ServerStore, type Saved } from '.';

const ann: Principal = { actor: { kind: 'person', name: 'ann@example.org' }, role: 'operator', sessionRunId: runIds.create() };
const bundled = { command: '/usr/bin/node', args: ['/opt/signalbox/analysis.js'] };

let database: Database;
let audit: AuditLog;
let published: LiveMessage[];
let now: number;

beforeEach(() => {
  database = openTestDatabase();
  now = 1000;
  audit = new AuditLog({ database, clock: { now: () => now } });
  published = [];
});
afterEach(() => database.close());

const openStore = (command: typeof bundled | null = null) =>
  new ServerStore({ database, audit, bus: { publish: (message) => published.push(message) }, clock: { now: () => (now += 1) }, bundled: command });

function require(saved: Saved): ServerRecord {
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  return saved.value;
}

const key = toServerKey;
const auditTypes = () => audit.list({ before: null, limit: 100 }).records.map(({ type }) => type).reverse();

describe('ServerStore', () => {
  it('adds what a person writes with nothing exposed, records it without values, and announces it', () => {
    const store = openStore();
    const record = require(store.create({ key: 'fs', command: 'npx', env: { API_KEY: 'very-secret' } }, ann));
    expect(record).toMatchObject({ revision: 1, reviewedAt: null, source: 'stored', bundled: false, entry: { tools: [] } });
    expect(store.find(key('fs'))).toEqual(record);
    expect(published).toEqual([{ type: 'servers.changed' }, { type: 'server.changed', key: 'fs' }]);
    const { records } = audit.list({ before: null, limit: 10 });
    expect(records).toEqual([expect.objectContaining({ type: 'server.added', subject: 'server:fs', actorName: 'ann@example.org' })]);
    expect(JSON.stringify(records)).not.toContain('very-secret');
  });

  it('refuses a key that is there, and bad fields, and keeps what was saved', () => {
    const store = openStore();
    require(store.create({ key: 'fs', command: 'npx' }, ann));
    expect(store.create({ key: 'fs', command: 'other' }, ann)).toMatchObject({ ok: false, error: { kind: 'invalid', fields: [{ field: 'key' }] } });
    expect(store.create({ key: 'Bad Key', command: 'x' }, ann)).toMatchObject({ ok: false, error: { kind: 'invalid', fields: [{ field: 'key' }] } });
    expect(store.save({ key: 'fs', command: 'npx', limits: { total_s: 5 } }, 1, ann)).toMatchObject({
      ok: false, error: { kind: 'invalid', fields: [{ field: 'limits.total_s' }] },
    });
    expect(store.list()).toMatchObject([{ revision: 1, entry: { command: 'npx' } }]);
    expect(auditTypes()).toEqual(['server.added']);
  });

  it('refuses a save over a newer one and gives both', () => {
    const store = openStore();
    const first = require(store.create({ key: 'fs', command: 'npx' }, ann));
    const newer = require(store.save({ ...first.entry, label: 'Theirs' }, 1, ann));
    expect(newer.revision).toBe(2);
    expect(store.save({ ...first.entry, label: 'Mine' }, 1, ann)).toEqual({
      ok: false, error: { kind: 'conflict', current: newer, yours: { ...first.entry, label: 'Mine' } },
    });
    expect(store.find(key('fs'))?.entry.label).toBe('Theirs');
  });

  it('leaves the revision where nothing changed', () => {
    const store = openStore();
    const first = require(store.create({ key: 'fs', command: 'npx' }, ann));
    expect(require(store.save(first.entry, 1, ann)).revision).toBe(1);
    expect(require(store.setEnabled(key('fs'), false, ann))).toMatchObject({ revision: 2, entry: { enabled: false } });
    expect(auditTypes()).toEqual(['server.added', 'server.disabled']);
  });

  it('takes the pins at a review, and keeps them when the server is deleted', () => {
    const store = openStore();
    const pins = new PinStore(database);
    require(store.create({ key: 'fs', command: 'npx' }, ann));
    const listed = mendToolList([{ name: 'read', inputSchema: {} }, { name: 'write', inputSchema: {} }]).tools;
    const reviewed = require(store.markReviewed(key('fs'), { tools: ['read'], listed }, ann));
    expect(reviewed.entry.tools).toEqual(['read']);
    expect(reviewed.reviewedAt).not.toBeNull();
    expect(pins.list(key('fs')).map(({ tool, reviewedBy }) => [tool, reviewedBy])).toEqual([['read', 'ann@example.org'], ['write', 'ann@example.org']]);
    require(store.delete(key('fs'), ann));
    expect(store.find(key('fs'))).toBeUndefined();
    expect(pins.list(key('fs'))).toHaveLength(2);
    expect(store.delete(key('fs'), ann)).toMatchObject({ ok: false, error: { kind: 'missing' } });
    expect(auditTypes()).toEqual(['server.added', 'server.reviewed', 'server.deleted']);
  });

  it('adds and reviews in one when a first test showed the tools', () => {
    const listed = mendToolList([{ name: 'read', inputSchema: {} }]).tools;
    const record = require(openStore().create({ key: 'fs', command: 'npx' }, ann, { tools: ['read'], listed }));
    expect(record.entry.tools).toEqual(['read']);
    expect(record.reviewedAt).not.toBeNull();
  });

  it('duplicates under another key, switched off and unreviewed', () => {
    const store = openStore();
    require(store.create({ key: 'fs', label: 'Files', command: 'npx', env: { A: 'b' }, tools: ['read'] }, ann));
    const copy = require(store.duplicate(key('fs'), 'fs-2', ann));
    expect(copy).toMatchObject({ revision: 1, entry: { key: 'fs-2', label: 'Files (copy)', enabled: false, tools: [], env: { A: 'b' } } });
    expect(store.duplicate(key('fs'), 'fs', ann)).toMatchObject({ ok: false, error: { fields: [{ field: 'key' }] } });
    expect(store.duplicate(key('fs'), 'No Key', ann)).toMatchObject({ ok: false, error: { fields: [{ field: 'key' }] } });
  });

  it('rolls the change back when its audit event cannot be written', () => {
    const failing = { record: () => { throw new Error('disk full'); } };
    const store = new ServerStore({ database, audit: failing, bus: { publish: (message) => published.push(message) }, clock: { now: () => 1 }, bundled: null });
    expect(() => store.create({ key: 'fs', command: 'npx' }, ann)).toThrow('disk full');
    expect(store.list()).toEqual([]);
    expect(published).toEqual([]);
  });

  it('reads an entry that an older version stored without a later field', () => {
    const store = openStore();
    require(store.create({ key: 'fs', command: 'npx' }, ann));
    database.sqlite.exec("UPDATE servers SET entry = json_remove(entry, '$.tags', '$.share') WHERE key = 'fs'");
    expect(store.find(key('fs'))?.entry).toMatchObject({ tags: [], share: false });
    database.sqlite.exec("INSERT INTO servers (key, entry, revision, created_at, saved_at) VALUES ('broken', '7', 1, 1, 1)");
    expect(store.list().map(({ entry }) => entry.key)).toEqual(['fs']);
  });
});

describe('the bundled server', () => {
  it('is seeded once, and its command follows the installation', () => {
    openStore(bundled).ensureBundled();
    const store = openStore({ command: '/usr/bin/node', args: ['/new/analysis.js'] });
    store.ensureBundled();
    expect(store.list()).toMatchObject([{ bundled: true, entry: { key: 'analysis', tools: null, args: ['/new/analysis.js'] } }]);
    expect(auditTypes()).toEqual(['server.added', 'server.saved']);
  });

  it('stays deleted after a restart, and comes back by a button', () => {
    openStore(bundled).ensureBundled();
    require(openStore(bundled).delete(key('analysis'), ann));
    const store = openStore({ command: '/usr/bin/node', args: ['/new/analysis.js'] });
    store.ensureBundled();
    expect(store.list()).toEqual([]);
    expect(require(store.restoreBundled(ann))).toMatchObject({ bundled: true, entry: { args: ['/new/analysis.js'] } });
    expect(require(store.restoreBundled(ann)).revision).toBe(1);
  });

  it('gives way to a person who adds or makes another of its key', () => {
    const store = openStore(bundled);
    store.ensureBundled();
    expect(require(store.create({ key: 'analysis', command: 'mine' }, ann))).toMatchObject({ bundled: false, revision: 2, entry: { command: 'mine' } });
    openStore({ command: 'new', args: [] }).ensureBundled();
    expect(store.list()).toMatchObject([{ entry: { command: 'mine' } }]);
    expect(store.restoreBundled(ann)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('stays the bundled one when a person edits what is beside its command', () => {
    const store = openStore(bundled);
    store.ensureBundled();
    const [present] = store.list();
    if (!present) throw new Error('it was not seeded');
    expect(require(store.save({ ...present.entry, env: { REPUTATION_KEY: '${secret:K}' } }, 1, ann)).bundled).toBe(true);
    const saved = require(store.save({ ...present.entry, command: 'mine' }, 2, ann));
    expect(saved.bundled).toBe(false);
  });

  it('is not seeded over an entry that a person had', () => {
    require(openStore().create({ key: 'analysis', command: 'mine' }, ann));
    const store = openStore(bundled);
    store.ensureBundled();
    expect(store.list()).toMatchObject([{ bundled: false, entry: { command: 'mine' } }]);
  });
});
