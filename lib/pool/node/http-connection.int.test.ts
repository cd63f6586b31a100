import { describe, expect, it } from 'vitest';
import { startLegacyHttp } from '../../../e2e/servers/legacy-http.mjs';
import { startModernHttp } from '../../../e2e/servers/modern-http.mjs';
import { echo, httpServers } from './http-testing';
import { afterSent, never, until, watchedCall } from './testing';

const { cleanups, serve, connect, requireConnection } = httpServers();

describe('a Streamable HTTP server', () => {
  it('passes every stage, keeps its session on every request and ends it', async () => {
    const server = await serve({});
    const { opened, watched } = await connect(server.url, { headers: { 'X-Api-Key': 'k' } });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(watched.ended()).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate passed', 'list passed',
    ]);
    expect(await opened.value.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    await opened.value.close();
    expect(server.sessions.size).toBe(0);
    for (const { method, headers, message } of server.requests) {
      expect(headers['x-api-key']).toBe('k');
      if (method === 'POST') expect(headers.accept).toMatch(/application\/json.*text\/event-stream/);
      if (method === 'POST' && !['initialize', 'server/discover'].includes(message?.method ?? '')) {
        expect(headers['mcp-session-id']).toBeTruthy();
        expect(headers['mcp-protocol-version']).toBeTruthy();
      }
    }
    expect(server.requests.at(-1)?.method).toBe('DELETE');
  });

  it.each(['sseLf', 'sseCrlf', 'sseCr', 'sseBom', 'sseComments', 'sseManyLines', 'sseForeign', 'sseNoBlankLine', 'sseSplit'])('reads the stream of %s', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });

  it.each(['refusesGet400', 'refusesGet401', 'refusesGet404', 'refusesGet500', 'acknowledges204', 'acknowledges200', 'acknowledgesNull', 'acknowledgesBody', 'labelsOddCase', 'labelsMissing', 'labelsPlain', 'labelsGzip', 'redirectSame'])(
    'stays well with %s',
    async (mode) => {
      const server = await serve({ mode });
      const connection = await requireConnection(server.url);
      expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    },
  );

  it('gives a result that no schema knows, and nulls for what is left out', async () => {
    const results = await serve({ mode: 'results' });
    const answer = await (await requireConnection(results.url)).callTool(watchedCall('r_unknownType'), never);
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text' }, { type: 'video' }] } });
    const nulls = await serve({ mode: 'nulls' });
    expect((await requireConnection(nulls.url)).lists.toolList.tools.length).toBeGreaterThan(0);
  });

  it('takes a JSON-RPC error out of a 500', async () => {
    const server = await serve({ mode: 'rpcIn500' });
    const answer = await (await requireConnection(server.url)).callTool(echo(), never);
    expect(answer).toMatchObject({ kind: 'rpc_error', message: 'the index is locked' });
  });

  it.each(['loses404', 'loses400'])('says that a call was refused unread when the session is lost (%s), and ends', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'session_lost' } });
    expect(await closed).toMatchObject({ code: 'session_lost' });
  });

  it('tells a call lost when its connection breaks or its stream ends early', async () => {
    const reset = await serve({ mode: 'resetsOnCall' });
    expect(await (await requireConnection(reset.url)).callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { code: 'connection_reset' } });
    const early = await serve({ mode: 'sseEndsEarly' });
    expect(await (await requireConnection(early.url)).callTool(echo(), never)).toMatchObject({ kind: 'lost' });
  });

  it('ends a call by its size and goes on', async () => {
    const server = await serve({ mode: 'calls' });
    const connection = await requireConnection(server.url, { limits: { max_message_bytes: 100_000 } });
    expect(await connection.callTool(watchedCall('big'), never)).toMatchObject({ kind: 'too_large', limitBytes: 100_000 });
    expect(await connection.callTool(watchedCall('quiet', {}), AbortSignal.timeout(10_000))).toBeTruthy();
  });

  it('is refused without having sent when nothing listens any more, and ends', async () => {
    const server = await serve({});
    const connection = await requireConnection(server.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    await server.close();
    // A socket that was kept for the next request is seen to be gone only a moment later.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'refused' } });
    expect(await closed).toMatchObject({ code: 'refused' });
  });
});

describe('both eras of the official SDKs over HTTP', () => {
  it('speaks the modern era: calls, progress, cancellation, lists that change', async () => {
    const server = await startModernHttp();
    cleanups.push(() => server.close());
    const connection = await requireConnection(server.url);
    expect(connection.facts).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', serverInfo: { name: 'modern' } });
    expect(connection.lists.resources).toHaveLength(1);
    expect(await connection.callTool(echo('hi'), never)).toMatchObject({ kind: 'result' });
    const called = server.requests.find((request) => request.body.includes('tools/call'));
    expect(called?.headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' });
    const slow = watchedCall('slow', { steps: 20 });
    expect(await connection.callTool(slow, afterSent(slow, 400))).toMatchObject({ kind: 'aborted', sent: true });
    expect(await connection.readResource('note://one', never)).toMatchObject({ kind: 'result' });
    expect(await connection.getPrompt('greet', {}, never)).toMatchObject({ kind: 'result' });
    const changed = new Promise((resolve) => connection.onListsChanged(resolve));
    await until(() => server.requests.some((request) => request.body.includes('subscriptions/listen')), 'it subscribed');
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.notify.toolsChanged();
    await changed;
    // The cancelled call would have ended by now, had its server not been told.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(server.events.filter((event) => event.startsWith('slow'))).not.toContain('slow ended');
  });

  it('speaks the legacy era: sessions, calls, progress', async () => {
    const server = await startLegacyHttp();
    cleanups.push(() => server.close());
    const connection = await requireConnection(server.url);
    expect(connection.facts.era).toBe('legacy');
    const slow = watchedCall('slow', {});
    expect(await connection.callTool(slow, never)).toMatchObject({ kind: 'result' });
    expect(slow.notes.length).toBeGreaterThan(0);
  });
});
