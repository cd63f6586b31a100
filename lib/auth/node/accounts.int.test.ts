import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '@/db/client';
import { sessions } from '@/db/schema';
import { openTestDatabase } from '@/db/testing';
import { AuditLog } from '@/lib/audit/node';
import { runIds, type Clock } from '@/lib/core';
import type { Actor } from '..';
import { Accounts, describeRefusal, readAuthSecret, sessionCookieName, toSessionCookie, type SetCookie } from '.';

const PORT = 4299;
const PASSWORD = 'correct horse battery';
const ann = { email: 'Ann@Example.org', name: 'Ann', password: PASSWORD };
const actor: Actor = { kind: 'person', name: 'ann@example.org' };

let database: Database;
let home: string;
let audit: AuditLog;
let accounts: Accounts;
let now: number;
let origins: string[];
const clock: Clock = { now: () => now };

beforeEach(() => {
  now = Date.now();
  database = openTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'signalbox-accounts-'));
  audit = new AuditLog({ database, clock });
  origins = [];
  accounts = openAccounts();
});

afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

function openAccounts(): Accounts {
  const runId = runIds.create();
  return new Accounts({
    database,
    audit,
    clock,
    home,
    origin: `http://127.0.0.1:${PORT}`,
    port: PORT,
    sessionRun: (origin) => {
      origins.push(origin);
      return runId;
    },
  });
}

const tokenOf = (link: string) => new URL(link).searchParams.get('token')!;
const setUp = () => accounts.createFirstAdmin(tokenOf(accounts.renewSetupLink()), ann);
const withCookies = (cookies: readonly SetCookie[]) =>
  new Headers({ cookie: cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ') });

async function signedIn(email = 'ann@example.org', password = PASSWORD): Promise<Headers> {
  const result = await accounts.signIn(email, password, new Headers());
  if (!result.ok) throw new Error(describeRefusal(result.error));
  return withCookies(result.value);
}

describe('the set-up link', () => {
  it('makes the first admin, once', async () => {
    expect(accounts.hasAnyone()).toBe(false);
    const token = tokenOf(accounts.renewSetupLink());
    expect(accounts.isSetupOpen(token)).toBe(true);
    const person = await accounts.createFirstAdmin(token, ann);
    expect(person).toMatchObject({ email: 'ann@example.org', role: 'admin', disabled: false });
    expect(accounts.isSetupOpen(token)).toBe(false);
    await expect(accounts.createFirstAdmin(token, { ...ann, email: 'eve@example.org' })).rejects.toMatchObject({ code: 'not_allowed' });
    expect(accounts.list()).toHaveLength(1);
    expect(audit.list({ before: null, limit: 5 }).records).toMatchObject([{ type: 'person.added', subject: 'person:ann@example.org' }]);
  });

  it('lets one of two in that come with it at the same moment', async () => {
    const token = tokenOf(accounts.renewSetupLink());
    const tries = await Promise.allSettled([
      accounts.createFirstAdmin(token, ann),
      accounts.createFirstAdmin(token, { ...ann, email: 'eve@example.org' }),
    ]);
    expect(tries.map((attempt) => attempt.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(accounts.list()).toHaveLength(1);
  });

  it('is worth nothing once another took its place, or when it is guessed', async () => {
    const old = tokenOf(accounts.renewSetupLink());
    const current = tokenOf(accounts.renewSetupLink());
    expect(accounts.isSetupOpen(old)).toBe(false);
    expect(accounts.isSetupOpen('')).toBe(false);
    expect(accounts.isSetupOpen(current)).toBe(true);
  });

  it('stays usable after a form with a field that is wrong, and is kept as a hash', async () => {
    const token = tokenOf(accounts.renewSetupLink());
    await expect(accounts.createFirstAdmin(token, { ...ann, password: 'short', email: 'no address' })).rejects.toMatchObject({
      code: 'bad_input',
      fields: [{ field: 'email' }, { field: 'password', message: 'Choose a password of at least 10 characters.' }],
    });
    expect(accounts.isSetupOpen(token)).toBe(true);
    expect(JSON.stringify(database.sqlite.prepare('SELECT * FROM settings').all())).not.toContain(token);
  });

  it('is not needed where the environment names the first admin', async () => {
    const token = tokenOf(accounts.renewSetupLink());
    await accounts.ensureFirstAdmin({ email: 'ops@example.org', password: PASSWORD });
    await accounts.ensureFirstAdmin({ email: 'second@example.org', password: PASSWORD });
    expect(accounts.list().map((person) => person.email)).toEqual(['ops@example.org']);
    expect(accounts.isSetupOpen(token)).toBe(false);
  });
});

describe('signing in', () => {
  it('establishes the principal, whose run is that of the sign-in', async () => {
    await setUp();
    const headers = await signedIn(' ANN@example.org ');
    const principal = await accounts.principalFor(headers);
    expect(principal).toMatchObject({ actor, role: 'admin' });
    const session = database.orm.select().from(sessions).get()!;
    expect(origins).toEqual([`sign-in:${session.id}`]);
  });

  it('knows nobody without a cookie, or with one that was changed', async () => {
    await setUp();
    expect(await accounts.principalFor(new Headers())).toBeNull();
    const cookie = (await signedIn()).get('cookie')!;
    expect(await accounts.principalFor(new Headers({ cookie: cookie.replace(/.(?=%3D$|$)/, 'x') }))).toBeNull();
    expect(await accounts.principalFor(new Headers({ cookie: 'better-auth.session_token=x' }))).toBeNull();
  });

  it('ends by signing out', async () => {
    await setUp();
    const headers = await signedIn();
    const cleared = await accounts.signOut(headers);
    expect(cleared).toContainEqual(expect.objectContaining({ name: sessionCookieName(PORT), maxAgeS: 0 }));
    expect(await accounts.principalFor(headers)).toBeNull();
  });

  it('can be done by a row and a cookie, as the browser tests do', async () => {
    const person = await setUp();
    const at = new Date(now);
    database.orm
      .insert(sessions)
      .values({ id: 's1', token: 't'.repeat(32), userId: person.id, expiresAt: new Date(now + 60_000), createdAt: at, updatedAt: at })
      .run();
    const cookie = `${sessionCookieName(PORT)}=${toSessionCookie('t'.repeat(32), readAuthSecret(home))}`;
    expect(await accounts.principalFor(new Headers({ cookie }))).toMatchObject({ actor });
  });

  it('says the same for a wrong password and for nobody, and slows the guessing', async () => {
    await setUp();
    const refused = [];
    for (let attempt = 0; attempt < 9; attempt++) refused.push(await accounts.signIn('ann@example.org', 'wrong password', new Headers()));
    expect(refused.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => ({ ok: false, error: { kind: 'wrong' } })));
    expect(refused[8]).toMatchObject({ ok: false, error: { kind: 'wait' } });
    expect(await accounts.signIn('ann@example.org', PASSWORD, new Headers())).toMatchObject({ ok: false, error: { kind: 'wait' } });
    expect(await accounts.signIn('nobody@example.org', PASSWORD, new Headers())).toMatchObject({ ok: false, error: { kind: 'wrong' } });
    now += 6 * 60_000;
    expect(await accounts.signIn('ann@example.org', PASSWORD, new Headers())).toMatchObject({ ok: true });
  });
});

describe('people', () => {
  it('are added once for an address, with errors by field', async () => {
    await setUp();
    await accounts.create({ email: 'bob@example.org', name: 'Bob', role: 'viewer', password: PASSWORD }, actor);
    await expect(accounts.create({ email: 'BOB@example.org', name: '', role: 'viewer', password: PASSWORD }, actor)).rejects.toMatchObject({
      fields: [{ field: 'name', message: 'Write a name.' }],
    });
    await expect(accounts.create({ email: 'BOB@example.org', name: 'Bob', role: 'viewer', password: PASSWORD }, actor)).rejects.toMatchObject({
      fields: [{ field: 'email', message: expect.stringContaining('already somebody') as string }],
    });
    expect(await accounts.principalFor(await signedIn('bob@example.org'))).toMatchObject({ role: 'viewer' });
  });

  it('lose their sessions when they are disabled, and come back when they are enabled', async () => {
    await setUp();
    const bob = await accounts.create({ email: 'bob@example.org', name: 'Bob', role: 'operator', password: PASSWORD }, actor);
    const headers = await signedIn('bob@example.org');
    accounts.disable(bob.id, actor);
    expect(await accounts.principalFor(headers)).toBeNull();
    expect(await accounts.signIn('bob@example.org', PASSWORD, new Headers())).toEqual({ ok: false, error: { kind: 'disabled' } });
    accounts.enable(bob.id, actor);
    expect(await accounts.principalFor(headers)).toBeNull();
    expect(await accounts.principalFor(await signedIn('bob@example.org'))).not.toBeNull();
  });

  it('lose their sessions with their password', async () => {
    await setUp();
    const bob = await accounts.create({ email: 'bob@example.org', name: 'Bob', role: 'operator', password: PASSWORD }, actor);
    const headers = await signedIn('bob@example.org');
    await accounts.resetPassword(bob.id, 'another password', actor);
    expect(await accounts.principalFor(headers)).toBeNull();
    expect(await accounts.principalFor(await signedIn('bob@example.org', 'another password'))).not.toBeNull();
    await expect(accounts.resetPassword(bob.id, 'short', actor)).rejects.toMatchObject({ fields: [{ field: 'password' }] });
  });

  it('have their new role at once', async () => {
    await setUp();
    const bob = await accounts.create({ email: 'bob@example.org', name: 'Bob', role: 'viewer', password: PASSWORD }, actor);
    const headers = await signedIn('bob@example.org');
    accounts.setRole(bob.id, 'analyst', actor);
    expect(await accounts.principalFor(headers)).toMatchObject({ role: 'analyst' });
  });

  it('never end with no admin who can sign in', async () => {
    const first = await setUp();
    expect(() => accounts.disable(first.id, actor)).toThrow('only admin');
    expect(() => accounts.setRole(first.id, 'viewer', actor)).toThrow('only admin');
    const second = await accounts.create({ email: 'bob@example.org', name: 'Bob', role: 'admin', password: PASSWORD }, actor);
    accounts.disable(second.id, actor);
    expect(() => accounts.setRole(first.id, 'operator', actor)).toThrow('only admin');
    accounts.enable(second.id, actor);
    accounts.setRole(first.id, 'operator', actor);
    expect(() => accounts.disable(second.id, actor)).toThrow('only admin');
  });

  it('are changed together with the audit row or not at all', async () => {
    await setUp();
    const before = audit.list({ before: null, limit: 50 }).records.length;
    expect(() => accounts.setRole('nobody', 'viewer', actor)).toThrow(expect.objectContaining({ code: 'not_found' }));
    const bob = await accounts.create({ email: 'bob@example.org', name: 'Bob', role: 'viewer', password: PASSWORD }, actor);
    database.sqlite.exec(`CREATE TRIGGER refuse BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    expect(() => accounts.setRole(bob.id, 'admin', actor)).toThrow();
    expect(accounts.list().find((person) => person.id === bob.id)?.role).toBe('viewer');
    expect(audit.list({ before: null, limit: 50 }).records.length).toBe(before + 1);
  });
});
