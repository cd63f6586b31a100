import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRuntime, type Runtime } from '@/lib/boot';
import { readEnvironment } from '@/lib/env';
import { createLogger } from '@/lib/log';
import { GET as readHealthz } from '../healthz/route';
import { GET as readInbox } from '../inbox/route';
import { GET as readMetrics } from '../metrics/route';
import { GET as readHealth } from './route';

const opened = vi.hoisted(() => ({ runtime: Promise.resolve<unknown>(null) }));
vi.mock('@/lib/boot.instance', () => ({ runtime: () => opened.runtime }));

const TOKEN = 'a-token-of-some-length';
const ROOT = join(import.meta.dirname, '..', '..', '..');
let directory: string;
let runtime: Runtime;

async function open(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  const env = readEnvironment({ SIGNALBOX_HOME: directory, SIGNALBOX_PACKAGE_ROOT: ROOT, PATH: process.env.PATH, ...variables }, undefined);
  runtime = await openRuntime({ env, use: 'console', log: (redactor) => createLogger({ level: 'silent', redactor, destination: 'stderr' }) });
  opened.runtime = Promise.resolve(runtime);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-health-'));
});
afterEach(async () => {
  await runtime.close();
  rmSync(directory, { recursive: true, force: true });
});

type Read = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
const ask = (read: Read, path: string, headers: Readonly<Record<string, string>> = {}) =>
  read(new Request(`http://127.0.0.1:4280${path}`, { headers: { host: '127.0.0.1:4280', ...headers } }), { params: Promise.resolve({}) });

describe('healthz', () => {
  it('is well while the parts of the process are, and says which is not when it ends', async () => {
    await open();
    const well = await ask(readHealthz, '/api/healthz');
    expect([well.status, await well.json()]).toEqual([200, { ok: true, checks: { database: 'ok', pool: 'ok', monitor: 'ok' } }]);
    await runtime.close();
    const ended = await ask(readHealthz, '/api/healthz');
    expect([ended.status, await ended.json()]).toEqual([503, { ok: false, checks: { database: 'failing', pool: 'failing', monitor: 'failing' } }]);
  });
});

describe('metrics', () => {
  it('are not there without a token in the environment', async () => {
    await open();
    expect((await ask(readMetrics, '/api/metrics', { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
  });

  it('are for the bearer of the token alone', async () => {
    await open({ SIGNALBOX_METRICS_TOKEN: TOKEN });
    for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN.slice(0, -1)}`]) {
      const refused = await ask(readMetrics, '/api/metrics', { authorization });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="signalbox metrics"']);
      expect(await refused.text()).not.toContain('signalbox_server_state');
    }
    const told = await ask(readMetrics, '/api/metrics', { authorization: `Bearer ${TOKEN}` });
    expect(told.status).toBe(200);
    expect(told.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await told.text();
    expect(text).toMatch(/signalbox_server_state\{server="analysis",state="\w+"\} 1/);
    expect(text).not.toContain(TOKEN);
    expect(runtime.redactor.text(`it said ${TOKEN}`)).not.toContain(TOKEN);
  });
});

describe('the reads of the pages', () => {
  it('ask who asks', async () => {
    await open();
    expect((await ask(readHealth, '/api/health')).status).toBe(401);
    expect((await ask(readInbox, '/api/inbox')).status).toBe(401);
  });
});
