import { describe, expect, it } from 'vitest';
import { ok, Redactor, systemClock } from '@/lib/core';
import type { Hook } from '../../../e2e/servers/raw-http.mjs';
import { TrafficBook } from '.';
import { echo, httpServers } from './http-testing';
import { afterSent, never, resolvedHttp, textOf, toKey, until, watchedCall } from './testing';
import { makePool, requireLease, toRecord } from './testing-pools';

const { serve, requireOpen } = httpServers();

/** Streams the answer to each call of `held` when it is let go, and refuses the list so from when it is told to. */
function refusingList(status: number, body: string) {
  const control = { refuses: false, release: (): void => undefined };
  const released = new Promise<void>((resolve) => (control.release = resolve));
  const hook: Hook = async ({ request, response, sessions }) => {
    const { message } = request;
    if (message?.method === 'tools/list' && control.refuses) {
      control.refuses = false;
      if (status !== 401) sessions.clear();
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    }
    if (message?.method !== 'tools/call' || !request.body.includes('"held"')) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': at it\n\n');
    await released;
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'whole' }] } })}\n\n`);
    return true;
  };
  return { control, hook };
}

const REFUSALS = [
  [401, '', 'unauthorized'],
  [404, '{"error":"gone"}', 'session_lost'],
  [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session"}}', 'session_lost'],
] as const;

describe('a list that is refused while a call is answered', () => {
  it.each(REFUSALS)('ends the connection, but not the call (HTTP %s)', async (status, body, code) => {
    const { control, hook } = refusingList(status, body);
    const server = await serve({ hook });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    const ended = new Promise((resolve) => connection.onClosed(resolve));
    const held = watchedCall('held');
    const answer = connection.callTool(held, never);
    await until(() => held.heard.includes('sent'), 'the call is out');
    control.refuses = true;
    await connection.refreshLists(never);
    expect(await ended).toMatchObject({ code });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code } });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    control.release();
    expect(textOf(await answer)).toBe('whole');
    await until(async () => (await server.countConnections()) === 0, 'every socket is closed');
  });

  it('waits no longer than the call does', async () => {
    const { control, hook } = refusingList(401, '');
    const server = await serve({ hook });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    const held = watchedCall('held');
    const answer = connection.callTool(held, afterSent(held, 1_500));
    await until(() => held.heard.includes('sent'), 'the call is out');
    control.refuses = true;
    await connection.refreshLists(never);
    expect(await answer).toMatchObject({ kind: 'aborted', sent: true });
    await until(async () => (await server.countConnections()) === 0, 'every socket is closed');
  });

  it('gives way to a new connection at once', async () => {
    const { control, hook } = refusingList(404, '');
    const server = await serve({ hook });
    const { pool } = makePool([toRecord('one', 'elsewhere')], {
      resolve: (entry) => ok({ ...resolvedHttp(server.url, { era: 'legacy' }), key: entry.key }),
    });
    const { connection } = await requireLease(pool, 'one');
    const held = watchedCall('held');
    const answer = connection.callTool(held, never);
    await until(() => held.heard.includes('sent'), 'the call is out');
    control.refuses = true;
    await connection.refreshLists(never);
    await until(() => pool.state(toKey('one')).name === 'idle', 'the session is given up');
    const next = await requireLease(pool, 'one');
    expect(next.connection).not.toBe(connection);
    expect(await next.connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    control.release();
    expect(textOf(await answer)).toBe('whole');
  });

  it('keeps its traffic until it is closed', async () => {
    const { control, hook } = refusingList(404, '');
    const server = await serve({ hook });
    const traffic = new TrafficBook({ clock: systemClock, publish: () => undefined, redactor: new Redactor() });
    const { pool } = makePool([toRecord('one', 'elsewhere')], {
      resolve: (entry) => ok({ ...resolvedHttp(server.url, { era: 'legacy' }), key: entry.key }), traffic,
    });
    const { connection } = await requireLease(pool, 'one');
    const held = watchedCall('held');
    const answer = connection.callTool(held, never);
    await until(() => held.heard.includes('sent'), 'the call is out');
    control.refuses = true;
    await connection.refreshLists(never);
    await requireLease(pool, 'one');
    const list = () => traffic.listMessages(toKey('one'), { after: 0, limit: 500 });
    expect(list().connections.map(({ number, endedAt }) => [number, endedAt])).toEqual([[1, null], [2, null]]);
    control.release();
    expect(textOf(await answer)).toBe('whole');
    await until(() => list().connections[0]?.endedAt !== null, 'the first connection is closed');
    expect(list().rows.filter(({ text }) => text.includes('whole')).map(({ connection: of }) => of)).toEqual([1]);
  });

  it('leaves nothing behind when the pool is closed', async () => {
    const { control, hook } = refusingList(401, '');
    const server = await serve({ hook });
    const { pool } = makePool([toRecord('one', 'elsewhere')], {
      resolve: (entry) => ok({ ...resolvedHttp(server.url, { era: 'legacy' }), key: entry.key }),
    });
    const { connection } = await requireLease(pool, 'one');
    const held = watchedCall('held');
    const answer = connection.callTool(held, never);
    await until(() => held.heard.includes('sent'), 'the call is out');
    control.refuses = true;
    await connection.refreshLists(never);
    await pool.close();
    expect(await answer).toMatchObject({ kind: 'lost' });
    await until(async () => (await server.countConnections()) === 0, 'every socket is closed');
  });
});
