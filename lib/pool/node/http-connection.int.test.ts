import { createServer as createHttpServer, request as forward } from 'node:http';
import { connect as dialSocket, createServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { startLegacyHttp } from '../../../e2e/servers/legacy-http.mjs';
import { startModernHttp } from '../../../e2e/servers/modern-http.mjs';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { redirectTo } from '../../../e2e/servers/raw/http-modes.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import type { ResolvedServer } from '@/lib/servers';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, never, resolvedHttp, textWith, until, watch, watchedCall } from './testing';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Wishes = Parameters<typeof resolvedHttp>[1];

async function connect(url: string, wishes: Wishes = {}) {
  const watched = watch(resolvedHttp(url, wishes));
  const opened = await openConnection(watched.options, never);
  if (opened.ok) cleanups.push(() => opened.value.close());
  return { opened, watched };
}

async function serve(options: Parameters<typeof startRawHttp>[0]) {
  const server = await startRawHttp(options);
  cleanups.push(() => server.close());
  return server;
}

async function requireConnection(url: string, wishes: Wishes = {}): Promise<Connection> {
  const { opened } = await connect(url, wishes);
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  return opened.value;
}

const portOf = (address: string | AddressInfo | null): number => (typeof address === 'object' && address !== null ? address.port : 0);

type Remote = Exclude<ResolvedServer['transport'], { kind: 'stdio' }>;

function withRemote(resolved: ResolvedServer, more: Partial<Remote>): ResolvedServer {
  if (resolved.transport.kind === 'stdio') throw new Error('not remote');
  return { ...resolved, transport: { ...resolved.transport, ...more } };
}
const withTls = (resolved: ResolvedServer, tls: Remote['tls']) => withRemote(resolved, { tls });
const withProxy = (resolved: ResolvedServer, proxy: string) => withRemote(resolved, { proxy });

const echo = (text = 'x') => watchedCall('echo', { text });

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

describe('an HTTP server that cannot be set up', () => {
  it.each([
    ['html200', 'not_an_mcp_endpoint', 'http'],
    ['html404', 'not_an_mcp_endpoint', 'http'],
    ['plain200', 'not_an_mcp_endpoint', 'http'],
    ['plain404', 'not_an_mcp_endpoint', 'http'],
    ['empty200', 'not_an_mcp_endpoint', 'http'],
    ['json200', 'not_an_mcp_endpoint', 'http'],
    ['unauthorized', 'unauthorized', 'auth'],
    ['unauthorizedBasic', 'unauthorized', 'auth'],
    ['forbidden', 'forbidden', 'auth'],
    ['insufficientScope', 'forbidden', 'auth'],
    ['notAcceptable', 'not_acceptable', 'http'],
    ['tooManyRequests', 'too_many_requests', 'http'],
    ['html500', 'server_error', 'http'],
    ['badGateway', 'server_error', 'http'],
    ['proxyAuthentication', 'proxy_in_the_way', 'http'],
    ['badVersion', 'no_shared_revision', 'negotiate'],
    ['legacySse', 'legacy_transport', 'http'],
    ['redirectPermanent', 'redirected', 'http'],
    ['resets', 'connection_reset', 'http'],
    ['sseErrorInside200', 'protocol_error', 'list'],
  ])('%s is told as %s at %s', async (mode, code, stage) => {
    const server = await serve({ mode });
    const { opened, watched } = await connect(server.url);
    expect(opened).toMatchObject({ ok: false, error: { code, stage } });
    expect(watched.ended().at(-1)).toBe(`${stage} failed`);
    if (!opened.ok) {
      expect(opened.error.message).not.toContain('<');
      expect((opened.error.evidence.body ?? '').length).toBeLessThanOrEqual(2_000);
    }
  });

  it.each([['silent', 'timed_out'], ['hangsOnList', 'list_hangs']])('%s ends at its clock as %s', async (mode, code) => {
    const server = await serve({ mode });
    expect((await connect(server.url, { limits: { connect_s: 2 } })).opened).toMatchObject({ ok: false, error: { code } });
  });

  it('tells an unknown host and a refused port apart', async () => {
    expect((await connect('http://no-such-host.invalid/mcp')).opened).toMatchObject({ ok: false, error: { code: 'host_unknown', stage: 'resolve' } });
    const free = createServer();
    const port = await new Promise<number>((resolve) => free.listen(0, '127.0.0.1', () => resolve(portOf(free.address()))));
    await new Promise((resolve) => free.close(resolve));
    expect((await connect(`http://127.0.0.1:${port}/mcp`)).opened).toMatchObject({ ok: false, error: { code: 'refused', stage: 'connect' } });
    expect((await connect('http://169.254.169.254/mcp')).opened).toMatchObject({ ok: false, error: { code: 'address_not_allowed' } });
  });

  it.each([
    ['tls_untrusted', {}, {}],
    ['tls_expired', { notAfterAt: Date.now() - 1000 }, { trusts: true }],
    ['tls_wrong_name', { host: 'elsewhere.example' }, { trusts: true }],
  ] as const)('tells a certificate that is %s', async (code, made, { trusts = false }: { trusts?: boolean }) => {
    const tls = createCertificate(made);
    const server = await serve({ tls });
    const resolved = withTls(resolvedHttp(server.url), trusts ? { ca: tls.cert, insecure: false } : { insecure: false });
    expect(await openConnection(watch(resolved).options, never)).toMatchObject({ ok: false, error: { code, stage: 'connect' } });
  });

  it('trusts the authority that the entry names, and says that TLS is not verified where it is told not to', async () => {
    const tls = createCertificate();
    const server = await serve({ tls });
    for (const [settings, ended] of [[{ ca: tls.cert, insecure: false }, 'connect passed'], [{ insecure: true }, 'connect warned']] as const) {
      const watched = watch(withTls(resolvedHttp(server.url), settings));
      const opened = await openConnection(watched.options, never);
      if (!opened.ok) throw new Error(opened.error.message);
      cleanups.push(() => opened.value.close());
      expect(watched.ended()).toContain(ended);
      expect(await opened.value.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    }
  });

  it('goes through a proxy, and tells one that refuses', async () => {
    const tls = createCertificate();
    const secure = await serve({ tls });
    const plain = await serve({});
    const asked: string[] = [];
    const proxy = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const target = new URL(request.url ?? '');
      request.pipe(forward(target, { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }));
    });
    let refuses = false;
    const tunnels = new Set<Duplex>();
    proxy.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      if (refuses) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const [host, port] = (request.url ?? '').split(':');
      const onward = dialSocket(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      // Without a pipe nothing reads the socket any more, and its end would not be seen.
      onward.on('close', () => socket.resume());
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const port = await new Promise<number>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(portOf(proxy.address()))));
    cleanups.push(() => new Promise((resolve) => { proxy.close(resolve); proxy.closeAllConnections(); }));
    for (const resolved of [resolvedHttp(plain.url), withTls(resolvedHttp(secure.url), { ca: tls.cert, insecure: false })]) {
      const opened = await openConnection(watch(withProxy(resolved, `http://127.0.0.1:${port}`)).options, never);
      if (!opened.ok) throw new Error(opened.error.message);
      await opened.value.close();
    }
    await until(() => tunnels.size === 0, 'every tunnel is closed');
    expect(asked).toContain(`POST ${plain.url}`);
    expect(asked).toContain(`CONNECT 127.0.0.1:${secure.port}`);
    refuses = true;
    const refused = watch(withProxy(withTls(resolvedHttp(secure.url), { insecure: true }), `http://127.0.0.1:${port}`));
    expect(await openConnection(refused.options, never)).toMatchObject({ ok: false, error: { code: 'proxy_in_the_way', message: textWith('HTTP 403') } });
  });

  it('sends nothing to another origin', async () => {
    const sink = await serve({});
    const server = await serve({ hook: redirectTo(sink.url) });
    const { opened } = await connect(server.url, { headers: { Authorization: 'Bearer secret' } });
    expect(opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith(sink.url) } });
    expect(sink.requests).toEqual([]);
  });
});
