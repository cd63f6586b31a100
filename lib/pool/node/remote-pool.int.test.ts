import { afterEach, describe, expect, it } from 'vitest';
import { ok } from '@/lib/core';
import { closesOn } from '../../../e2e/servers/raw/ws-modes.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import { startRawWs } from '../../../e2e/servers/raw-ws.mjs';
import { never, resolvedRemote, toKey, until, watchedCall } from './testing';
import { makePool, requireLease, toRecord } from './testing-pools';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const KEY = toKey('one');

function poolOver(kind: 'http' | 'sse' | 'websocket', url: string) {
  const { pool } = makePool([toRecord('one', 'elsewhere', { connect: 'start' })], {
    resolve: (entry) => ok({ ...resolvedRemote(kind, url, { era: 'legacy' }), key: entry.key }),
  });
  return pool;
}

async function serveWs(options: Parameters<typeof startRawWs>[0]) {
  const server = await startRawWs(options);
  cleanups.push(() => server.close());
  return server;
}

const call = () => watchedCall('echo', { text: 'x' });

describe('a pooled WebSocket connection', () => {
  it.each([
    [1008, 'failing'],
    [4403, 'failing'],
    [4401, 'sign_in_needed'],
  ])('that is closed with %s is %s and not tried again by itself', async (closeCode, name) => {
    const server = await serveWs({ hooks: closesOn('tools/call', closeCode, 'no') });
    const pool = poolOver('websocket', server.url);
    const { connection } = await requireLease(pool, 'one');
    expect(await connection.callTool(call(), never)).toMatchObject({ kind: 'lost' });
    await until(() => pool.state(KEY).name === name, `it is ${name}`);
    const state = pool.state(KEY);
    if (state.name === 'failing') expect(state.nextTryAt).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.peers).toHaveLength(1);
    // Whoever asks for it does try.
    expect(await pool.acquire(KEY, 'call', never)).toMatchObject({ ok: true });
    expect(server.peers).toHaveLength(2);
  });

  it.each([1001, 1012, 1006])('that ends with %s is opened again by itself, after a wait that shows', async (closeCode) => {
    const hooks = closesOn('tools/call', closeCode === 1006 ? 1000 : closeCode);
    const server = await serveWs(closeCode === 1006 ? { mode: 'dropsOnCall' } : { hooks });
    const pool = poolOver('websocket', server.url);
    const { connection } = await requireLease(pool, 'one');
    const waits: unknown[] = [];
    expect(await connection.callTool(call(), never)).toMatchObject({ kind: 'lost', failure: { evidence: { closeCode } } });
    await until(() => {
      const state = pool.state(KEY);
      if (state.name === 'failing') waits.push(state.nextTryAt);
      return state.name === 'connected' && server.peers.length === 2;
    }, 'it is connected again');
    expect(waits.every((at) => typeof at === 'number')).toBe(true);
  });

  it('that dies while idle is shown as that, from its event', async () => {
    const server = await serveWs({});
    const pool = poolOver('websocket', server.url);
    (await requireLease(pool, 'one')).release();
    await server.close();
    await until(() => pool.state(KEY).name === 'failing', 'it is failing');
    expect(pool.snapshot(KEY)?.toolList.tools).toHaveLength(1);
    expect(await pool.acquire(KEY, 'call', never)).toMatchObject({ ok: false, error: { code: 'refused' } });
  });
});

describe('a pooled connection of HTTP+SSE', () => {
  it('whose stream ends while idle is opened again by itself', async () => {
    const server = await startRawSse({ mode: 'streamEnds' });
    cleanups.push(() => server.close());
    const pool = poolOver('sse', server.url);
    (await requireLease(pool, 'one')).release();
    await until(() => server.requests.filter(({ method }) => method === 'GET').length > 2, 'it was opened again');
  });
});

describe.each([['http', startRawHttp], ['sse', startRawSse], ['websocket', startRawWs]] as const)('a server over %s that asks to slow down while it is connected', (kind, start) => {
  it('is not tried again by itself before its time, and says when it is', async () => {
    const server = await start({ mode: 'tooManyRequests' });
    cleanups.push(() => server.close());
    const url = kind === 'websocket' ? server.url.replace(/^http/, 'ws') : server.url;
    const pool = poolOver(kind, url);
    pool.connectEnabled();
    await until(() => pool.state(KEY).name === 'failing', 'it is failing');
    const state = pool.state(KEY);
    expect(state).toMatchObject({ failure: { code: 'too_many_requests', retryAfterMs: 37_000 } });
    if (state.name !== 'failing') throw new Error(state.name);
    expect((state.nextTryAt ?? 0) - Date.now()).toBeGreaterThan(30_000);
    // Whoever asks for it does try.
    expect(await pool.acquire(KEY, 'call', never)).toMatchObject({ ok: false, error: { code: 'too_many_requests' } });
  });
});
