import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MiB, ok, Redactor, systemClock } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ResolvedServer, ServerRecord } from '@/lib/servers';
import { startRawHttp } from '../../../../e2e/servers/raw-http.mjs';
import { startRawSse } from '../../../../e2e/servers/raw-sse.mjs';
import { startRawWs } from '../../../../e2e/servers/raw-ws.mjs';
import { matchMessages, type Traffic, type WireMatch, type WireMessage } from '../..';
import { TrafficBook } from '..';
import { never, resolvedHttp, resolvedRaw, resolvedRemote, toKey, until, watchedCall } from '../testing';
import { makePool, requireLease, toRecord } from '../testing-pools';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const KEY = toKey('one');
const CANARY = 'c4nary/v4lue with "quotes" and ümlaut';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-traffic-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A pool of which every server is this one, and the traffic that it records. */
function open(resolved: ResolvedServer, records: ServerRecord[] = [toRecord('one', 'any')]) {
  const told: LiveMessage[] = [];
  const traffic = new TrafficBook({ clock: systemClock, publish: (message) => told.push(message), redactor: new Redactor() });
  const { pool } = makePool(records, { resolve: (entry) => ok({ ...resolved, key: entry.key }), traffic });
  return { pool, traffic, told };
}

function listAll(traffic: TrafficBook, key = KEY): Traffic<WireMessage> {
  const rows: WireMessage[] = [];
  for (let after = 0; ; ) {
    const part = traffic.listMessages(key, { after, limit: 500 });
    rows.push(...part.rows);
    if (!part.more) return { ...part, rows };
    after = rows.at(-1)?.number ?? 0;
  }
}

/** Each message's match, by its number. */
const matchesOf = ({ rows, connections }: Traffic): ReadonlyMap<number, WireMatch> => matchMessages(rows, connections);

const linesOf = (rows: readonly WireMessage[]): string[] => rows.map(({ direction, text }) => (direction === 'sent' ? `> ${text}` : text));

describe('the traffic of a server', () => {
  it('over stdio is what the server read and wrote, byte for byte, from the first message on', async () => {
    const log = join(makeFolder(), 'wire');
    const { pool, traffic, told } = open(resolvedRaw('ok', { era: 'legacy', env: { RAW_WIRE_LOG: log } }));
    const { connection } = await requireLease(pool, 'one');
    await connection.callTool(watchedCall('echo', { text: 'grüße \u2028 "x"', n: 1e21 }), never);
    const { rows, connections } = listAll(traffic);
    expect(linesOf(rows)).toEqual(readFileSync(log, 'utf8').trimEnd().split('\n'));
    expect(rows[0]).toMatchObject({ direction: 'sent', method: 'initialize', kind: 'request' });
    expect(connections).toMatchObject([{ number: 1, purpose: 'shared', endedAt: null }]);
    expect(told).toContainEqual({ type: 'server.traffic', key: 'one' });
    const matches = matchMessages(rows, connections);
    expect(rows.filter(({ kind }) => kind === 'request').map(({ number }) => matches.get(number)?.kind)).toEqual(
      rows.filter(({ kind }) => kind === 'request').map(() => 'answered'),
    );
  });

  it('pairs the answers of a server that turns ids into text, and marks doubled and foreign ones', async () => {
    const texts = open(resolvedRaw('stringIds', { era: 'legacy' }));
    await (await requireLease(texts.pool, 'one')).connection.callTool(watchedCall('echo'), never);
    const pairs = matchesOf(listAll(texts.traffic));
    expect([...pairs.values()].some(({ kind }) => kind === 'waiting')).toBe(false);

    const doubled = open(resolvedRaw('doubled', { era: 'legacy' }));
    await (await requireLease(doubled.pool, 'one')).connection.callTool(watchedCall('echo'), never);
    await until(() => [...matchesOf(listAll(doubled.traffic)).values()].filter(({ kind }) => kind === 'second_answer').length >= 3, 'the doubles came');
    expect([...matchesOf(listAll(doubled.traffic)).values()].some(({ kind }) => kind === 'unasked')).toBe(true);
  });

  it('of a set-up that failed is there, with its unanswered request', async () => {
    const { pool, traffic } = open(resolvedRaw('exitAfterRead', { era: 'legacy' }));
    expect((await pool.acquire(KEY, 'call', never)).ok).toBe(false);
    const { rows, connections } = listAll(traffic);
    expect(rows.map(({ method }) => method)).toEqual(['initialize']);
    expect(connections[0]?.endedAt).not.toBeNull();
    expect(matchMessages(rows, connections).get(1)).toEqual({ kind: 'never_answered' });
  });

  it('over HTTP is the bodies both ways, refusals with their status', async () => {
    const odd = '{ "result" : {"content":[{"type":"text","text":"odd"}]},\n "jsonrpc":"2.0", "id":ID }';
    const sent: string[] = [];
    const server = await startRawHttp({
      hook: ({ request, response }) => {
        sent.push(...(request.method === 'POST' ? [request.body] : []));
        if (request.message?.method !== 'tools/call') return false;
        if (request.body.includes('"refuse":true')) response.writeHead(502).end('<h1>no upstream</h1>');
        else response.writeHead(200, { 'content-type': 'application/json' }).end(odd.replace('ID', String(request.message.id)));
        return true;
      },
    });
    cleanUps.push(() => server.close());
    const { pool, traffic } = open(resolvedHttp(server.url, { era: 'legacy' }));
    const { connection } = await requireLease(pool, 'one');
    await connection.callTool(watchedCall('echo'), never);
    await connection.callTool(watchedCall('echo', { refuse: true }), never);
    const { rows, connections } = listAll(traffic);
    expect(rows.filter(({ direction }) => direction === 'sent').map(({ text }) => text)).toEqual(sent);
    const [answer, refusal] = rows.filter(({ direction }) => direction === 'received').slice(-2);
    expect(answer?.text).toBe(odd.replace('ID', String(answer?.id)));
    expect(refusal).toMatchObject({ kind: 'error', code: 502 });
    expect(refusal?.text).toContain('<h1>no upstream</h1>');
    expect(matchMessages(rows, connections).get(refusal?.number ?? 0)).toMatchObject({ kind: 'answers', method: 'tools/call' });
  });

  it.each(['sse', 'websocket'] as const)('over %s is every message both ways, in pairs', async (kind) => {
    const server = await (kind === 'sse' ? startRawSse() : startRawWs());
    cleanUps.push(() => server.close());
    const { pool, traffic } = open(resolvedRemote(kind, server.url, { era: 'legacy' }));
    const { connection } = await requireLease(pool, 'one');
    await connection.callTool(watchedCall('echo', { text: 'grüße' }), never);
    const all = listAll(traffic);
    const requests = all.rows.filter(({ kind: is }) => is === 'request');
    expect(requests.map(({ method }) => method)).toEqual(['initialize', 'tools/list', 'tools/call']);
    expect(requests.map(({ number }) => matchesOf(all).get(number)?.kind)).toEqual(['answered', 'answered', 'answered']);
    expect(requests.at(-1)?.text).toContain('grüße');
    expect(all.rows.at(-1)?.text).toBe(JSON.stringify({ jsonrpc: '2.0', id: requests.at(-1)?.id, result: { content: [{ type: 'text', text: '{"text":"grüße"}' }] } }));
  });

  it('shows no secret of the headers, the environment, the arguments or the results, however it was written', async () => {
    const writings = [
      JSON.stringify(CANARY), JSON.stringify(JSON.stringify({ deep: CANARY })), JSON.stringify(CANARY).replaceAll('/', '\\/').replaceAll('ü', '\\u00fc'),
      JSON.stringify(encodeURIComponent(CANARY)), JSON.stringify(Buffer.from(`..${CANARY}..`).toString('base64')),
    ];
    const server = await startRawHttp({
      hook: ({ request, response }) => {
        if (request.message?.method !== 'tools/call') return false;
        const content = writings.map((text) => `{"type":"text","text":${text}}`).join(',');
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${JSON.stringify(request.message.id)},"result":{"content":[${content}]}}`);
        return true;
      },
    });
    cleanUps.push(() => server.close());
    const overHttp = open({ ...resolvedHttp(server.url, { era: 'legacy', headers: { 'x-key': encodeURIComponent(CANARY) } }), secretValues: [CANARY] });
    const overStdio = open({ ...resolvedRaw('ok', { era: 'legacy', env: { KEY: CANARY } }), secretValues: [CANARY] });
    for (const { pool, traffic } of [overHttp, overStdio]) {
      const { connection } = await requireLease(pool, 'one');
      const call = watchedCall('echo', { text: `before ${CANARY} after`, [CANARY]: Buffer.from(CANARY).toString('base64') });
      expect((await connection.callTool(call, never)).kind).toBe('result');
      const { rows } = listAll(traffic);
      const shown = JSON.stringify(rows.map(({ text }) => text));
      expect(shown.replace(/\\+u00fc/g, 'ü').replace(/\\+/g, '')).not.toMatch(/c4nary|v4lue|quotes|mlaut/);
      for (const { text } of rows) for (const word of text.match(/[A-Za-z0-9+/]{16,}/g) ?? []) expect(Buffer.from(word, 'base64').toString()).not.toMatch(/v4lue|quotes/);
      expect(shown).toContain('[redacted]');
    }
  });

  it('is shown on each server that shares the connection, and is gone with a deleted one', async () => {
    const records = [toRecord('one', 'any'), toRecord('two', 'any')];
    const { pool, traffic } = open(resolvedRaw('ok', { era: 'legacy' }), records);
    await requireLease(pool, 'one');
    const { connection } = await requireLease(pool, 'two');
    await connection.callTool(watchedCall('echo'), never);
    const texts = listAll(traffic).rows.map(({ text }) => text);
    expect(texts[0]).toContain('"initialize"');
    // Also what passed before it came to share.
    expect(listAll(traffic, toKey('two')).rows.map(({ text }) => text)).toEqual(texts);
    records.splice(0, 1);
    await pool.drop(KEY);
    expect(listAll(traffic).rows).toEqual([]);
    expect(listAll(traffic, toKey('two')).rows.length).toBeGreaterThan(0);
  });

  it('is kept over an edit, with a new connection after it', async () => {
    const { pool, traffic } = open(resolvedRaw('ok', { era: 'legacy' }));
    (await requireLease(pool, 'one')).release();
    await pool.drop(KEY);
    (await requireLease(pool, 'one')).release();
    const { connections } = listAll(traffic);
    expect(connections.map(({ number, endedAt }) => [number, endedAt === null])).toEqual([[1, false], [2, true]]);
  });

  it('stays within its bounds under a flood of 100,000 messages and an answer of 50 MiB', async () => {
    const { pool, traffic, told } = open(resolvedRaw('calls', { era: 'legacy' }));
    const { connection } = await requireLease(pool, 'one');
    expect((await connection.callTool(watchedCall('flood', { steps: 100_000 }), never)).kind).toBe('result');
    expect((await connection.callTool(watchedCall('big', { mib: 50 }), never)).kind).toBe('result');
    const { rows, connections } = listAll(traffic);
    expect(rows.length).toBeLessThanOrEqual(500);
    const big = rows.at(-1);
    expect(big).toMatchObject({ kind: 'result', isCut: true });
    expect(big?.sizeBytes).toBeGreaterThan(50 * MiB);
    expect(matchMessages(rows, connections).get(big?.number ?? 0)).toMatchObject({ kind: 'answers', method: 'tools/call' });
    expect(told.length).toBeLessThan(1_000);
  });
});
