import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { AuditLog } from '@/lib/audit/node';
import { PERMISSIONS, ROLES, may, type Permission, type Role } from '@/lib/auth';
import { Accounts } from '@/lib/auth/node';
import { AppError, runIds, systemClock } from '@/lib/core';
import { createLogger } from '@/lib/log';
import { SecretRedactor } from '@/lib/vault/node';
import { defineAction } from './define-action';
import { definePublicRoute, defineRoute } from './define-route';

const request = vi.hoisted(() => ({ headers: new Headers(), runtime: Promise.resolve<unknown>(null) }));
vi.mock('next/headers', () => ({ headers: async () => request.headers }));
vi.mock('@/lib/boot.instance', () => ({ runtime: () => request.runtime }));

const PASSWORD = 'correct horse battery';
const HOST = '127.0.0.1:4299';
const OWN = { host: HOST, origin: `http://${HOST}` };
const PERMISSION_NAMES = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);

let database: Database;
let home: string;
let accounts: Accounts;
let lines: string[];
let cookies: Record<Role, string>;

beforeEach(async () => {
  database = openTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'signalbox-define-'));
  lines = [];
  const audit = new AuditLog({ database, clock: systemClock });
  const log = createLogger({ level: 'info', redactor: new SecretRedactor(), destination: 'stderr', write: (line) => lines.push(line) });
  const runId = runIds.create();
  accounts = new Accounts({ database, audit, clock: systemClock, home, origin: OWN.origin, port: 4299, sessionRun: () => runId });
  // The parts of a runtime that the doors use; the others are not reached.
  request.runtime = Promise.resolve({ env: { host: '127.0.0.1', port: 4299, allowedHosts: [] }, accounts, audit, log, db: database });
  const signedIn = await Promise.all(ROLES.map(async (role) => [role, await signInAs(role)] as const));
  cookies = Object.fromEntries(signedIn) as Record<Role, string>;
  request.headers = new Headers(OWN);
});

afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

async function signInAs(role: Role): Promise<string> {
  const email = `${role}@example.org`;
  await accounts.create({ email, name: role, role, password: PASSWORD }, { kind: 'console', name: 'console' });
  const result = await accounts.signIn(email, PASSWORD, new Headers());
  if (!result.ok) throw new Error('could not sign in');
  return result.value.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
}

const as = (role: Role, more: Record<string, string> = {}) => (request.headers = new Headers({ ...OWN, cookie: cookies[role], ...more }));

describe('an action', () => {
  it('is for those whose role may, whatever the permission', async () => {
    for (const permission of PERMISSION_NAMES) {
      const action = defineAction({ permission, input: z.null(), run: async (_input, { principal }) => principal.role });
      for (const role of ROLES) {
        as(role);
        const answer = await action(null);
        expect(answer, `${role} and ${permission}`).toMatchObject(may(role, permission) ? { ok: true, data: role } : { ok: false, code: 'not_allowed' });
      }
    }
  });

  it('says who can', async () => {
    as('viewer');
    const answer = await defineAction({ permission: 'servers.manage', input: z.null(), run: async () => null })(null);
    expect(answer).toMatchObject({ ok: false, message: 'This needs the role operator; you are signed in as viewer.', remedy: 'Ask an admin of this console.' });
  });

  it('that a role may not take leaves an audit record, so that a refused call is on record', async () => {
    as('viewer');
    await defineAction({ permission: 'calls.make', input: z.null(), run: async () => null })(null);
    const [record] = new AuditLog({ database, clock: systemClock }).list({ before: null, limit: 1, subject: 'permission:calls.make' }).records;
    expect(record).toMatchObject({ type: 'action.refused', actorName: 'viewer@example.org', details: { role: 'viewer', needs: 'analyst' } });
  });

  it('does nothing for those who are not signed in, or come from another page or by another name', async () => {
    const run = vi.fn(async () => null);
    const action = defineAction({ permission: 'servers.see', input: z.null(), run });
    request.headers = new Headers(OWN);
    expect(await action(null)).toMatchObject({ code: 'not_signed_in' });
    as('admin', { origin: 'http://evil.example' });
    expect(await action(null)).toMatchObject({ code: 'not_allowed' });
    as('admin', { host: 'evil.example:4299', origin: 'http://evil.example:4299' });
    expect(await action(null)).toMatchObject({ code: 'not_allowed', message: expect.stringContaining('SIGNALBOX_ALLOWED_HOSTS') as string });
    as('admin').delete('origin');
    expect(await action(null)).toMatchObject({ code: 'not_allowed' });
    expect(run).not.toHaveBeenCalled();
  });

  it('answers with a sentence for each field that is wrong', async () => {
    as('admin');
    const input = z.object({ name: z.string().min(1, 'Write a name.'), limits: z.object({ total_s: z.number('Write a number.') }) });
    const action = defineAction({ permission: 'servers.see', input, run: async () => null });
    expect(await action({ name: '', limits: { total_s: 'x' } })).toMatchObject({
      ok: false,
      code: 'bad_input',
      message: '2 fields need another value.',
      fields: [{ field: 'name', message: 'Write a name.' }, { field: 'limits.total_s', message: 'Write a number.' }],
    });
    expect(await action(undefined)).toMatchObject({ ok: false, code: 'bad_input' });
  });

  it('keeps the cause of what fails to the log, under the reference that it answers with', async () => {
    as('admin');
    const action = defineAction({ permission: 'servers.see', input: z.null(), run: () => Promise.reject(new Error('at /secret/path')) });
    const answer = await action(null);
    expect(answer).toMatchObject({ ok: false, code: 'internal' });
    expect(JSON.stringify(answer)).not.toContain('/secret/path');
    const ref = answer.ok ? '' : answer.ref;
    expect(lines.find((line) => line.includes(ref))).toContain('/secret/path');
  });

  it('records the change in the name of who made it, or neither', async () => {
    as('operator');
    const action = defineAction({
      permission: 'servers.manage',
      input: z.boolean(),
      run: async (fails, { runtime, audit }) =>
        runtime.db.orm.transaction(() => {
          audit.record({ type: 'server.saved', subject: 'server:x', details: {} });
          if (fails) throw new AppError({ code: 'conflict', message: 'somebody else saved it' });
        }),
    });
    const saved = () => new AuditLog({ database, clock: systemClock }).list({ before: null, limit: 50, subject: 'server:x' }).records;
    expect(await action(true)).toMatchObject({ code: 'conflict' });
    expect(saved()).toEqual([]);
    expect(await action(false)).toMatchObject({ ok: true });
    expect(saved()).toMatchObject([{ actorKind: 'person', actorName: 'operator@example.org' }]);
  });

  it('lets a redirect pass', async () => {
    const { redirect } = await import('next/navigation');
    as('viewer');
    const action = defineAction({ permission: 'servers.see', input: z.null(), run: async () => redirect('/servers') });
    await expect(action(null)).rejects.toThrow('NEXT_REDIRECT');
  });

  it('of the public knows nobody and still minds where it comes from', async () => {
    const action = defineAction({ permission: 'public', input: z.null(), run: async (_input, { principal }) => principal });
    expect(await action(null)).toEqual({ ok: true, data: null });
    request.headers = new Headers({ host: HOST, origin: 'null' });
    expect(await action(null)).toMatchObject({ code: 'not_allowed' });
  });
});

describe('a route', () => {
  const call = (handler: ReturnType<typeof defineRoute>, init: RequestInit & { headers: Record<string, string> }) =>
    handler(new Request(`http://${HOST}/api/things/a`, init), { params: Promise.resolve({ thing: 'a' }) });

  it('answers whom its permission lets in, with a status that says why not', async () => {
    const route = defineRoute({ permission: 'calls.make', run: async (_request, { principal, params }) => Response.json({ role: principal.role, params }) });
    const answer = await call(route, { headers: { host: HOST, cookie: cookies.analyst } });
    expect(await answer.json()).toEqual({ role: 'analyst', params: { thing: 'a' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await call(route, { headers: { host: HOST } })).status).toBe(401);
    expect((await call(route, { headers: { host: HOST, cookie: cookies.viewer } })).status).toBe(403);
    expect((await call(route, { headers: { host: 'evil.example', cookie: cookies.analyst } })).status).toBe(403);
    expect((await call(route, { method: 'POST', headers: { host: HOST, cookie: cookies.analyst } })).status).toBe(403);
    expect((await call(route, { method: 'POST', headers: { ...OWN, cookie: cookies.analyst } })).status).toBe(200);
  });

  it.each([
    ['bad_input', 400],
    ['not_found', 404],
    ['conflict', 409],
    ['too_large', 413],
    ['unavailable', 503],
    ['internal', 500],
  ] as const)('answers %s with %i', async (code, status) => {
    const route = definePublicRoute({ run: () => Promise.reject(new AppError({ code, message: 'why', remedy: 'do this' })) });
    const answer = await call(route, { headers: { host: HOST } });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ code, message: 'why', remedy: 'do this', fields: [], ref: expect.stringMatching(/^[0-9a-f]{10}$/) as string });
  });
});

