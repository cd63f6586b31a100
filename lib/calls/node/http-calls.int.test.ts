import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '@/lib/auth';
import { callIds, isObject, ok, Redactor, systemClock } from '@/lib/core';
import { Pool, TrafficBook, type EraVerdict } from '@/lib/pool/node';
import { toServerKey, type RemoteEntry, type ResolvedServer, type ServerRecord } from '@/lib/servers';
import { modern } from '../../../e2e/servers/raw/http-modern.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { openTestLedger, type TestLedger } from '../../ledger/node/testing';
import type { CallRequest } from '..';
import { CallPath } from './call-path';
import { GuardBook } from './guard-book';
import { openTestFiles } from './testing';

type RawServer = Awaited<ReturnType<typeof startRawHttp>>;
type Hook = NonNullable<Parameters<typeof startRawHttp>[0]>['hook'];

const key = toServerKey('remote');
const never = new AbortController().signal;
// Every call of a test listens to it.
setMaxListeners(0, never);

let ledger: TestLedger;
let server: RawServer;
let pool: Pool;
let calls: CallPath;
const problems: unknown[] = [];

beforeEach(() => {
  ledger = openTestLedger();
});
afterEach(async () => {
  await calls.close();
  await pool.close();
  await server.close();
  ledger.close();
  expect(problems.splice(0)).toEqual([]);
});

/** The console's own way to a hand-made server, with room for 20 calls at once. */
async function begin(options: { mode?: string; hook?: Hook }, limits: RemoteEntry['limits'] = {}, more: { era?: 'auto'; idleAfterMs?: number } = {}) {
  server = await startRawHttp(options);
  const entry: RemoteEntry = {
    key, label: 'remote', enabled: true, connect: 'use', era: 'legacy', prefix: true, aliases: {}, tools: ['echo'], required: false, external: false, trusted: true,
    instructions: 'include', verify_with: {}, share: false, reads_errors: true, tags: [], transport: 'http', url: server.url, headers: {}, auth: { kind: 'none' },
    limits: { max_concurrent_calls: 20, failures_to_open: 1_000, ...limits },
  };
  const record: ServerRecord = { entry, revision: 1, savedAt: 0, reviewedAt: 1, source: 'stored', bundled: false };
  const resolved: ResolvedServer = {
    key, fingerprint: 'print', era: more.era ?? 'legacy', limits: entry.limits, secretValues: [],
    transport: { kind: 'http', url: new URL(server.url), headers: {}, tls: { insecure: false }, proxy: null },
  };
  const verdicts = new Map<string, EraVerdict>();
  pool = new Pool({
    servers: { list: () => [record], find: () => record },
    resolve: () => ok(resolved),
    jobDirectory: () => '/nowhere',
    snapshots: { find: () => undefined, save: () => undefined },
    eraVerdicts: { find: (print) => verdicts.get(print), save: (print, verdict) => verdicts.set(print, verdict), forget: (print) => verdicts.delete(print) },
    children: { add: () => undefined, remove: () => undefined, list: () => [] },
    readManifest: () => Promise.resolve({ manifest: null, problem: null }),
    bus: ledger.bus,
    traffic: new TrafficBook({ clock: systemClock, publish: () => undefined, redactor: new Redactor() }),
    clock: systemClock,
    ...(more.idleAfterMs !== undefined && { idleAfterMs: more.idleAfterMs }),
  });
  calls = new CallPath({
    writer: ledger.writer, reader: ledger.reader, servers: { find: () => record }, bus: ledger.bus, pool, files: openTestFiles(ledger),
    guards: new GuardBook({ database: ledger.database, clock: systemClock }),
    fingerprintOf: () => 'print', keysOf: () => [key], exposedNameOf: (of, tool) => `${of}__${tool}`,
    consoleRun: () => ledger.runs.sessionRun('console', { kind: 'console', name: 'console' }),
    log: { error: (data) => problems.push(data) },
  });
}

const call = async () => {
  const principal: Principal = { actor: { kind: 'person', name: 'ana@example.org' }, role: 'analyst', sessionRunId: ledger.runId };
  const request: CallRequest = {
    callId: callIds.create(), serverKey: key, tool: 'echo', arguments: { text: 'x' }, runId: ledger.runId, totalMs: null, tryAnyway: false, requiresExposure: true,
  };
  return calls.call(request, principal, never);
};
const many = (count: number) => Promise.all(Array.from({ length: count }, call));
async function until(holds: () => boolean, what: string): Promise<void> {
  for (const endsAt = Date.now() + 20_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (Date.now() > endsAt) throw new Error(`waited in vain until ${what}`);
  }
}
const countOf = (method: string) => server.requests.filter(({ message }) => message?.method === method).length;

/** The first calls of each burst are refused so, until the time is over. @param headers of the 429 */
const limited = (headers: Record<string, string>, refusedMs: number): Hook => {
  let openAt: number | null = null;
  return ({ request, response }) => {
    if (request.message?.method !== 'tools/call') return false;
    openAt ??= Date.now() + refusedMs;
    if (Date.now() >= openAt) return false;
    response.writeHead(429, headers).end('slow down');
    return true;
  };
};

describe('a session that the server forgot', () => {
  it.each(['loses404', 'loses400'])('is opened anew, and the call that was refused is made again (%s)', async (mode) => {
    await begin({ mode });
    expect(await call()).toMatchObject({ outcome: 'ok' });
    expect([countOf('initialize'), countOf('tools/call')]).toEqual([2, 2]);
  });

  it('is opened anew once for twenty calls in flight', async () => {
    let held = 0;
    let isLost = false;
    const release: (() => void)[] = [];
    await begin({
      hook: async ({ request, response, sessions }) => {
        if (isLost || request.message?.method !== 'tools/call') return false;
        held += 1;
        if (held === 20) {
          sessions.clear();
          isLost = true;
          for (const go of release) go();
        } else {
          await new Promise<void>((resolve) => release.push(resolve));
        }
        response.writeHead(404).end();
        return true;
      },
    });
    const ends = await many(20);
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(20).fill('ok'));
    expect([countOf('initialize'), countOf('tools/call')]).toEqual([2, 40]);
    expect(pool.state(key).name).toBe('connected');
  });

  it('leaves calls that were under way with it their own clocks, and never sends them twice', async () => {
    let count = 0;
    await begin({
      hook: ({ request, response, sessions }) => {
        if (request.message?.method !== 'tools/call') return false;
        count += 1;
        // The first is taken and never answered; the second says that the session is gone.
        if (count === 1) {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': working\n\n');
          return true;
        }
        if (count > 2) return false;
        sessions.clear();
        response.writeHead(404).end();
        return true;
      },
    }, { idle_s: 3, total_s: 60 });
    const first = call();
    while (count === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await call()).toMatchObject({ outcome: 'ok' });
    expect(await first).toMatchObject({ outcome: 'timeout', attempts: 1 });
    expect([countOf('initialize'), countOf('tools/call')]).toEqual([2, 3]);
  });

  it('twice in a row ends the call as not sent', async () => {
    await begin({ mode: 'losesAlways' });
    const end = await call();
    expect(end).toMatchObject({ outcome: 'not_sent' });
    expect(end.error?.message).toContain('no longer knows the session');
    expect([countOf('initialize'), countOf('tools/call')]).toEqual([2, 2]);
  });
});

describe('a session that nobody uses', () => {
  it('is ended when the connection is closed as idle, and with the pool', async () => {
    await begin({}, {}, { idleAfterMs: 200 });
    expect(await call()).toMatchObject({ outcome: 'ok' });
    await until(() => server.requests.some(({ method }) => method === 'DELETE'), 'the idle session is ended');
    expect(pool.state(key).name).toBe('idle');
    expect(await call()).toMatchObject({ outcome: 'ok' });
    await pool.close();
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
    expect(server.sessions.size).toBe(0);
  });
});

describe('a server that speaks another revision all at once', () => {
  it('of the modern era is asked anew, and the call that it refused unread is made again', async () => {
    let isModern = true;
    const serveModern = modern({
      'tools/call': ({ request, response }) => {
        isModern = false;
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message?.id, error: { code: -32_022, message: 'Unsupported protocol version', data: { supported: ['2025-11-25'], requested: '2026-07-28' } } }));
        return true;
      },
    });
    await begin({ hook: (context) => (isModern ? serveModern(context) : false) }, {}, { era: 'auto' });
    expect(await call()).toMatchObject({ outcome: 'ok' });
    expect(pool.state(key)).toMatchObject({ name: 'connected', facts: { era: 'legacy' } });
    expect(countOf('tools/call')).toBe(2);
  });

  it('of the legacy era is asked anew too', async () => {
    let isStrict = false;
    await begin({
      hook: ({ request, response }) => {
        isStrict ||= request.message?.method === 'tools/call';
        const { message, headers } = request;
        const params: unknown = message?.params;
        const revision = message?.method === 'initialize' && isObject(params) ? params.protocolVersion : headers['mcp-protocol-version'];
        if (!isStrict || revision === '2025-06-18' || request.method !== 'POST') return false;
        response.writeHead(400).end('Unsupported protocol version (supported versions: 2025-06-18)');
        return true;
      },
    });
    expect(await call()).toMatchObject({ outcome: 'ok' });
    expect(pool.state(key)).toMatchObject({ name: 'connected', facts: { protocolVersion: '2025-06-18' } });
    expect(countOf('tools/call')).toBe(2);
  });
});

describe('a call that the protocol has made again', () => {
  it.each([['modernHeaderRenamed', 'ok'], ['modernHeaderMismatch', 'protocol_error']])('counts as often as it went out (%s)', async (mode, outcome) => {
    await begin({ mode }, {}, { era: 'auto' });
    const end = await call();
    expect(end).toMatchObject({ outcome, attempts: 2 });
    expect(countOf('tools/call')).toBe(2);
  });

  it('is one attempt where it asks for input in between', async () => {
    await begin({ mode: 'modernState' }, {}, { era: 'auto' });
    expect(await call()).toMatchObject({ outcome: 'ok', attempts: 1 });
  });
});

describe('a server that asks to be called less', () => {
  it('is waited for, by all calls together, and no call is lost', async () => {
    await begin({ hook: limited({ 'retry-after': '1' }, 900) });
    const first = await many(20);
    expect(first.map(({ outcome }) => outcome)).toEqual(Array(20).fill('ok'));
    // Those that were not out yet when the first was refused wait with it; nobody asks in between.
    const at = server.requests.filter(({ message }) => message?.method === 'tools/call').map((request) => request.at);
    expect(at.length).toBeLessThanOrEqual(40);
    expect((at.at(-20) ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('keeps later calls back too, without asking it', async () => {
    await begin({ hook: limited({ 'retry-after': '2' }, 1_500) });
    const first = call();
    while (countOf('tools/call') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const later = many(10);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(countOf('tools/call')).toBe(1);
    expect((await later).map(({ outcome }) => outcome)).toEqual(Array(10).fill('ok'));
    expect(await first).toMatchObject({ outcome: 'ok' });
    expect(countOf('tools/call')).toBe(12);
  });

  it.each([['3600', /\b1 h|\b(?:59|60) min/], [new Date(Date.now() + 7_200_000).toUTCString(), /\b[12] h|\bmin/]])('for longer than the call may take ends it now, with the time (%s)', async (value, time) => {
    await begin({ hook: limited({ 'retry-after': value }, 60_000) });
    const ends = await many(20);
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(20).fill('not_sent'));
    for (const { error } of ends) expect(error?.message).toMatch(time);
    expect(countOf('tools/call')).toBeLessThanOrEqual(20);
    const asked = countOf('tools/call');
    expect(await call()).toMatchObject({ outcome: 'not_sent' });
    expect(countOf('tools/call')).toBe(asked);
  });

  it.each([['a negative time', { 'retry-after': '-5' }], ['no time', {}], ['a time that is none', { 'retry-after': 'soon' }]])('is asked again once where it names %s', async (_, headers) => {
    await begin({ hook: limited(headers, 120_000) });
    const end = await call();
    expect(end).toMatchObject({ outcome: 'not_sent' });
    expect(end.error?.message).toContain('HTTP 429');
    expect(countOf('tools/call')).toBe(2);
  });
});

describe('a sign-in that a call asks for', () => {
  it('is the state of the server, and the call is not made again', async () => {
    await begin({ mode: 'unauthorizedCall' });
    expect(await call()).toMatchObject({ outcome: 'not_sent' });
    expect(pool.state(key).name).toBe('sign_in_needed');
    expect(countOf('tools/call')).toBe(1);
  });
});

describe('an answer that comes slowly', () => {
  it.each(['application/json', 'text/event-stream'])('is waited for as long as bytes of it come (%s)', async (type) => {
    await begin(
      {
        hook: async ({ request, response }) => {
          if (request.message?.method !== 'tools/call') return false;
          const answer = JSON.stringify({ jsonrpc: '2.0', id: request.message.id, result: { content: [{ type: 'text', text: 'x'.repeat(4000) }] } });
          const text = type === 'application/json' ? answer : `data: ${answer}\n\n`;
          response.writeHead(200, { 'content-type': type });
          for (let from = 0; from < text.length; from += 700) {
            response.write(text.slice(from, from + 700));
            await new Promise((resolve) => setTimeout(resolve, 500));
          }
          response.end();
          return true;
        },
      },
      { idle_s: 2, total_s: 60 },
    );
    expect(await call()).toMatchObject({ outcome: 'ok' });
  });

  it('is not taken for one where only comments come', async () => {
    await begin(
      {
        hook: ({ request, response }) => {
          if (request.message?.method !== 'tools/call') return false;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const timer = setInterval(() => response.write(': still here\n\n'), 100);
          response.on('close', () => clearInterval(timer));
          return true;
        },
      },
      { idle_s: 1, total_s: 60 },
    );
    const end = await call();
    expect(end).toMatchObject({ outcome: 'timeout' });
    expect(end.error?.message).toContain('idle limit');
  });
});

describe('an answer that is begun and not ended', () => {
  it('ends at the clock of the call, which says so', async () => {
    await begin({ mode: 'sseUnfinished' }, { idle_s: 1, total_s: 2 });
    const end = await call();
    expect(end).toMatchObject({ outcome: 'timeout' });
    expect(end.error?.message).toContain('begun and not ended');
  });
});

describe('a call that is refused with a status', () => {
  const refusing = (status: number, body: string): Hook => ({ request, response }) => {
    if (request.message?.method !== 'tools/call') return false;
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    return true;
  };

  it.each([400, 404, 405, 406, 409, 413, 422])('%i is told with its words, and the call is not made again', async (status) => {
    await begin({ hook: refusing(status, 'no thanks') });
    const end = await call();
    // A 404 is the end of the session first of all, which a new one may mend.
    if (status === 404) expect(end).toMatchObject({ outcome: 'not_sent' });
    else expect(end).toMatchObject({ outcome: 'protocol_error', attempts: 1, error: { httpStatus: status, message: expect.stringContaining('no thanks') as string } });
    expect(countOf('tools/call')).toBe(status === 404 ? 2 : 1);
  });

  it.each([500, 502, 503])('%i may come from a gateway, so what became of the call is not known', async (status) => {
    await begin({ hook: refusing(status, '<html>bad gateway</html>') });
    const end = await call();
    expect(end).toMatchObject({ outcome: 'unknown', attempts: 1, error: { code: 'outcome_unknown', httpStatus: status } });
    expect(end.error?.message).not.toContain('was lost');
    expect(countOf('tools/call')).toBe(1);
  });

  it('that redirects elsewhere is not made again', async () => {
    await begin({
      hook: ({ request, response }) => {
        if (request.message?.method !== 'tools/call') return false;
        response.writeHead(307, { location: 'http://127.0.0.2:9/mcp' }).end();
        return true;
      },
    });
    expect(await call()).toMatchObject({ outcome: 'not_sent', attempts: 1 });
    expect(countOf('tools/call')).toBe(1);
  });
});
