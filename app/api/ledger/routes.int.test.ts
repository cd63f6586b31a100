import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditLog } from '@/lib/audit/node';
import type { Role } from '@/lib/auth';
import { systemClock } from '@/lib/core';
import { JobDirectories } from '@/lib/files/node';
import { createLogger } from '@/lib/log';
import { LedgerRetention } from '@/lib/ledger/node';
import { SecretRedactor } from '@/lib/vault/node';
import { openTestLedger, type TestLedger } from '../../../lib/ledger/node/testing';
import { GET as getFiles, POST as postFile } from '../jobs/console/files/route';
import { GET as getLive } from '../live/route';
import { GET as getEntry } from './[sequence]/route';
import { GET as getArguments } from './[sequence]/arguments/route';
import { GET as getResult } from './[sequence]/result/route';
import { GET as getCount } from './count/route';
import { GET as getExport } from './export/route';
import { GET as getRows } from './route';

const opened = vi.hoisted(() => ({ runtime: Promise.resolve<unknown>(null) }));
vi.mock('@/lib/boot.instance', () => ({ runtime: () => opened.runtime }));

const ORIGIN = 'http://127.0.0.1:4299';
let ledger: TestLedger;
let role: Role;
let signedIn: boolean;
let audit: AuditLog;
let retention: LedgerRetention;
beforeEach(() => {
  ledger = openTestLedger();
  role = 'analyst';
  signedIn = true;
  audit = new AuditLog({ database: ledger.database, clock: systemClock });
  retention = new LedgerRetention({ database: ledger.database, blobs: ledger.blobs, audit, clock: systemClock });
  const log = createLogger({ level: 'info', redactor: new SecretRedactor(), destination: 'stderr', write: () => undefined });
  opened.runtime = Promise.resolve({
    env: { host: '127.0.0.1', port: 4299, allowedHosts: [] },
    accounts: { principalFor: async () => (signedIn ? { actor: { kind: 'person', name: 'ana@example.org' }, role, sessionRunId: ledger.runId } : null) },
    audit,
    log, clock: systemClock, redactor: ledger.redactor, bus: ledger.bus, ledger: { reader: ledger.reader, writer: ledger.writer, retention }, jobs: new JobDirectories({ directory: join(ledger.directory, 'jobs') }),
  });
});
afterEach(() => {
  ledger.close();
  rmSync(ledger.directory, { recursive: true, force: true });
});

type Route = typeof getRows;
async function ask(route: Route, path: string, init: RequestInit & { duplex?: 'half' } = {}, params: Record<string, string> = {}): Promise<Response> {
  const headers = { host: '127.0.0.1:4299', origin: ORIGIN };
  return route(new Request(`${ORIGIN}${path}`, { ...init, headers }), { params: Promise.resolve(params) });
}

async function recordCall(text: string): Promise<number> {
  const { sequence } = ledger.writer.open(ledger.toOpening({}, { path: '/f' }));
  const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text }] });
  const error = { code: 'its_own_code', message: 'the words', remediation: null, remediationBy: 'server', httpStatus: null, details: null, rpcCode: null, readFromText: false } as const;
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'tool_error', error, result });
  return sequence;
}

describe('the routes of the ledger', () => {
  it('give filtered pages, and name what cannot be read in the address', async () => {
    for (let n = 0; n < 3; n += 1) await recordCall('x');
    const page = (await (await ask(getRows, '/api/ledger?server=fs&limit=2')).json()) as { rows: { sequence: number }[]; more: boolean; cursor: number };
    expect(page).toMatchObject({ rows: [{ sequence: 3 }, { sequence: 2 }], more: true, cursor: 6 });
    expect(await (await ask(getRows, '/api/ledger?server=fs&limit=2&before=2')).json()).toMatchObject({ rows: [{ sequence: 1 }], more: false });
    const refused = await ask(getRows, '/api/ledger?outcome=fine&limit=0');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ fields: [{ field: 'outcome' }] });
    expect((await ask(getRows, '/api/ledger?limit=many')).status).toBe(400);
  });

  it('give an entry with its contents to those who may see them', async () => {
    const sequence = String(await recordCall('the answer'));
    expect(JSON.stringify(await (await ask(getEntry, '/', {}, { sequence })).json())).toContain('the answer');
    role = 'viewer';
    const seen = JSON.stringify([await (await ask(getEntry, '/', {}, { sequence })).json(), await (await ask(getRows, '/api/ledger')).json()]);
    expect(seen).not.toMatch(/the answer|the words|its_own_code|\/f"/);
    expect((await ask(getResult, '/', {}, { sequence })).status).toBe(403);
    role = 'analyst';
    for (const wrong of ['99', '-1', 'x', '1e9']) expect((await ask(getEntry, '/', {}, { sequence: wrong })).status).toBe(404);
  });

  it('give a payload whole, as a file that is never anything but JSON', async () => {
    const text = '<script>x</script>'.repeat(20_000);
    const sequence = String(await recordCall(text));
    const result = await ask(getResult, '/', {}, { sequence });
    expect(result.headers.get('content-disposition')).toBe(`attachment; filename="fs-${sequence}-result.json"`);
    expect(result.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(result.headers.get('x-content-type-options')).toBe('nosniff');
    const body = await result.text();
    expect(Buffer.byteLength(body)).toBe(Number(result.headers.get('content-length')));
    expect(JSON.parse(body)).toEqual({ content: [{ type: 'text', text }] });
    expect(await (await ask(getArguments, '/', {}, { sequence })).json()).toEqual({ path: '/f' });
  });
});

describe('an entry that the retention deleted', () => {
  it('is told as deleted, with its tombstone, wherever its address is opened', async () => {
    for (let n = 0; n < 3; n += 1) await recordCall('x');
    retention.save({ days: null, entries: 1 }, audit.writerFor({ kind: 'person', name: 'root@example.org' }));
    await retention.apply(new AbortController().signal);
    for (const route of [getEntry, getArguments, getResult]) {
      const gone = await ask(route, '/', {}, { sequence: '2' });
      expect(gone.status).toBe(410);
      const told = (await gone.json()) as { message: string; deleted: unknown };
      expect(told.message).toMatch(/^Entry 2 was deleted by console on \d{4}-.*Z, with 2 calls of run run_.*newest 1 entry/);
      expect(told.deleted).toMatchObject([{ runId: ledger.runId, entryCount: 2, actorName: 'console' }]);
    }
    expect((await ask(getEntry, '/', {}, { sequence: '3' })).status).toBe(200);
    expect((await ask(getEntry, '/', {}, { sequence: '99' })).status).toBe(404);
    expect(await (await ask(getRows, '/api/ledger')).json()).toMatchObject({ rows: [{ sequence: 3 }], more: false });
  });
});

describe('the filters of somebody who sees no contents', () => {
  it('tell nothing about them, in pages, counts and exports', async () => {
    await recordCall('quokka');
    expect(await (await ask(getRows, '/api/ledger?text=quokka')).json()).toMatchObject({ rows: [{ sequence: 1 }] });
    expect(await (await ask(getRows, '/api/ledger?text=quokka&among=1,2')).json()).toMatchObject({ rows: [{ sequence: 1 }] });
    expect((await ask(getRows, '/api/ledger?among=one')).status).toBe(400);
    role = 'viewer';
    for (const query of ['text=quokka', 'code=its_own_code', 'text=quokka&among=1']) {
      for (const [route, path] of [[getRows, '/api/ledger?'], [getCount, '/api/ledger/count?'], [getExport, '/api/ledger/export?format=csv&']] as const) {
        const refused = await ask(route, `${path}${query}`);
        expect([refused.status, JSON.stringify(await refused.json())]).toEqual([403, expect.stringContaining('An analyst can')]);
      }
    }
    expect((await ask(getRows, '/api/ledger?code=timeout')).status).toBe(200);
  });
});

describe('the export', () => {
  it('is a file of what is filtered, with what the role sees', async () => {
    await recordCall('the answer');
    await recordCall('other');
    const response = await ask(getExport, '/api/ledger/export?format=jsonl&text=answer');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="ledger-[0-9T-]+\.jsonl"$/);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ sequence: 1, arguments: { path: '/f' }, error: { code: 'its_own_code' } });
    role = 'viewer';
    const seen = await (await ask(getExport, '/api/ledger/export?format=jsonl')).text();
    expect(seen).not.toMatch(/the answer|the words|its_own_code|\/f"/);
    expect((await ask(getExport, '/api/ledger/export?format=xml')).status).toBe(400);
  });

  it('ends when its reader leaves or may no longer read it', async () => {
    for (let n = 0; n < 400; n += 1) ledger.writer.open(ledger.toOpening({}, { text: 'x'.repeat(5000) }));
    const reader = (await ask(getExport, '/api/ledger/export?format=jsonl')).body!.getReader();
    await reader.read();
    role = 'viewer';
    const readAll = async () => {
      while (!(await reader.read()).done) continue;
    };
    await expect(readAll()).rejects.toThrow('has ended');
  });

  it('counts up to a limit', async () => {
    await recordCall('x');
    expect(await (await ask(getCount, '/api/ledger/count?server=fs')).json()).toEqual({ count: 1, more: false });
  });
});

describe('the live route', () => {
  it('resumes after the cursor in the address', async () => {
    await recordCall('x');
    const abort = new AbortController();
    const response = await ask(getLive, '/api/live?after=1', { signal: abort.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('caught_up')) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toContain('id: 2\ndata: {"type":"ledger.row","cursor":2');
    abort.abort();
    await reader.cancel();
  });
});

describe('the live route, left open', () => {
  it.each<[string, () => void]>([
    ['the sign-in', () => (signedIn = false)],
    ['the role', () => (role = 'viewer')],
  ])('ends with %s that it was opened with', async (_name, change) => {
    const response = await ask(getLive, '/api/live');
    const reader = response.body!.getReader();
    await reader.read();
    change();
    for (let read = await reader.read(); !read.done; read = await reader.read()) expect(read.value.byteLength).toBeGreaterThan(0);
    expect((await ask(getLive, '/api/live', { signal: AbortSignal.abort() })).status).toBe(signedIn ? 200 : 401);
  });
});

describe('the files of the standing job', () => {
  it('take a stream of any size, on the audit record, and list it', async () => {
    const content = Buffer.alloc(12 * 1024 * 1024, 'a file of some size ');
    const response = await ask(postFile, '/api/jobs/console/files?name=sample.bin', { method: 'POST', body: new Blob([content]).stream(), duplex: 'half' });
    expect(response.status).toBe(201);
    const stored = (await response.json()) as { path: string };
    expect(stored).toMatchObject({ name: 'sample.bin', sizeBytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    expect(readFileSync(stored.path).equals(content)).toBe(true);
    expect(await (await ask(getFiles, '/api/jobs/console/files')).json()).toMatchObject({ files: [{ name: 'sample.bin', sizeBytes: content.length }] });
    expect(ledger.database.sqlite.prepare('SELECT type, actor_name AS name FROM audit_events').all()).toEqual([{ type: 'file.added', name: 'ana@example.org' }]);
  });

  it('refuse a name that points elsewhere, none, and who may not add', async () => {
    for (const query of ['?name=..%2Fx', '?name=', '']) {
      expect((await ask(postFile, `/api/jobs/console/files${query}`, { method: 'POST', body: 'x' })).status).toBe(400);
    }
    role = 'viewer';
    expect((await ask(postFile, '/api/jobs/console/files?name=x', { method: 'POST', body: 'x' })).status).toBe(403);
  });
});
