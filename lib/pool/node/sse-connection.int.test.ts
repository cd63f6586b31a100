import { afterEach, describe, expect, it } from 'vitest';
import { startLegacySse } from '../../../e2e/servers/legacy-sse.mjs';
import { redirectTo } from '../../../e2e/servers/raw/http-modes.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, never, resolvedRemote, textWith, until, watch, watchedCall } from './testing';
import { REFUSALS } from './testing-refusals';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Wishes = Parameters<typeof resolvedRemote>[2];

async function serve(options: Parameters<typeof startRawSse>[0]) {
  const server = await startRawSse(options);
  cleanups.push(() => server.close());
  return server;
}

async function connect(url: string, wishes: Wishes = {}) {
  const passed: [string, string][] = [];
  const remarks: string[] = [];
  const watched = watch(resolvedRemote('sse', url, wishes), { onWire: (direction, text) => passed.push([direction, text]), onRemark: (text) => remarks.push(text) });
  const opened = await openConnection(watched.options, never);
  if (opened.ok) cleanups.push(() => opened.value.close());
  return { opened, watched, passed, remarks };
}

async function requireConnection(url: string, wishes: Wishes = {}): Promise<Connection> {
  const { opened } = await connect(url, wishes);
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  return opened.value;
}

const echo = (text = 'x') => watchedCall('echo', { text });
const SHORT = { limits: { connect_s: 3 } };
const CREDENTIALS = { Authorization: 'Bearer t', 'X-Api-Key': 'k' };

describe('a server of HTTP+SSE', () => {
  it('passes every stage, posts to the endpoint it was named with its headers, and leaves no stream', async () => {
    const server = await serve({});
    const { opened, watched } = await connect(server.url, { headers: { ...CREDENTIALS, Accept: 'text/html', 'Content-Type': 'text/plain' } });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(watched.ended()).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate passed', 'list passed',
    ]);
    expect(opened.value.facts).toMatchObject({ transport: 'sse', era: 'legacy', protocolVersion: '2025-11-25' });
    expect(await opened.value.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    await opened.value.close();
    const [first, ...posts] = server.requests;
    expect(first).toMatchObject({ method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } });
    expect(posts.map(({ method, path }) => `${method} ${path}`)).toEqual(Array.from(posts, () => 'POST /messages?sid=1'));
    for (const { headers } of server.requests) expect(headers).toMatchObject({ authorization: 'Bearer t', 'x-api-key': 'k' });
    // The probe of the modern era is not for it.
    expect(posts[0]?.body).toContain('"initialize"');
    expect(posts.slice(1).every(({ headers }) => headers['mcp-protocol-version'] === '2025-11-25')).toBe(true);
    await until(() => server.streams.size === 0, 'the stream is closed');
  });

  it.each([
    'endpointRelative', 'endpointQuery', 'endpointAbsolute', 'endpointCrlf', 'endpointAfterNoise', 'endpointSlow', 'endpointTwice', 'streamCrlf', 'streamCr',
    'streamUnnamed', 'streamManyLines', 'streamSplit', 'streamNoise', 'streamOddType', 'streamGzip', 'accepts200', 'accepts204', 'postRedirects', 'nulls',
  ])('stays well with %s', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    const [tool] = connection.lists.toolList.tools;
    expect(await connection.callTool(watchedCall(tool?.name ?? '', {}), never)).toMatchObject({ kind: 'result' });
  });

  it('follows a redirect within the origin', async () => {
    const server = await serve({ mode: 'redirectSame' });
    expect((await requireConnection(`${server.origin}/mcp`)).lists.toolList.tools).toHaveLength(1);
    expect(server.requests.slice(0, 2).map(({ path }) => path)).toEqual(['/mcp', '/mcp/']);
  });

  it('speaks with the official SDK: progress, cancellation, resources, prompts', async () => {
    const server = await startLegacySse();
    cleanups.push(() => server.close());
    const connection = await requireConnection(server.url);
    expect(connection.facts).toMatchObject({ transport: 'sse', serverInfo: { name: 'legacy' } });
    const slow = watchedCall('slow', {});
    expect(await connection.callTool(slow, never)).toMatchObject({ kind: 'result' });
    expect(slow.notes.length).toBeGreaterThan(0);
    const given = watchedCall('slow', { steps: 50 });
    expect(await connection.callTool(given, afterSent(given, 200))).toMatchObject({ kind: 'aborted', sent: true });
    await until(() => server.events.includes('slow cancelled'), 'the server was told');
    expect(await connection.readResource('note://one', never)).toMatchObject({ kind: 'result' });
    expect(await connection.getPrompt('greet', {}, never)).toMatchObject({ kind: 'result' });
    await connection.close();
    await until(() => server.sessions.size === 0, 'the stream is closed');
  });

  it('tells each message that passed once, and the refusals', async () => {
    const server = await serve({ mode: 'postNotFound' });
    const { opened, passed } = await connect(server.url);
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.value.callTool(echo(), never);
    const posted = server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(passed.filter(([direction]) => direction === 'sent').map(([, text]) => text)).toEqual(posted);
    expect(passed.filter(([, text]) => text.startsWith('HTTP 404')).length).toBe(1);
    expect(new Set(passed.map(([, text]) => text)).size).toBe(passed.length);
  });

  it('ends a call by its size, knows whose it is, and its neighbours go on', async () => {
    const server = await serve({ mode: 'calls' });
    const connection = await requireConnection(server.url, { limits: { max_message_bytes: 100_000 } });
    const neighbour = connection.callTool(watchedCall('quiet', { step_ms: 500 }), never);
    expect(await connection.callTool(watchedCall('big'), never)).toMatchObject({ kind: 'too_large', limitBytes: 100_000 });
    expect(await neighbour).toMatchObject({ kind: 'result' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });

  it('takes a JSON-RPC error out of a refusal', async () => {
    const server = await serve({ mode: 'postRpcError' });
    expect(await (await requireConnection(server.url)).callTool(echo(), never)).toMatchObject({ kind: 'rpc_error', message: 'the index is locked' });
  });

  it.each([
    ['postForbidden', 'not_sent', 'forbidden'],
    ['postTooMany', 'not_sent', 'too_many_requests'],
    ['postBroken', 'lost', 'server_error'],
    ['postResets', 'lost', 'connection_reset'],
  ])('ends the one call that is refused with %s', async (mode, kind, code) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind, failure: { code } });
    await connection.refreshLists(never);
    expect(connection.lists.warnings).toEqual([]);
  });

  it('says that a call was refused unread when the server forgot the session, and ends', async () => {
    const server = await serve({ mode: 'postNotFound' });
    const connection = await requireConnection(server.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'session_lost' } });
    expect(await closed).toMatchObject({ code: 'session_lost' });
  });

  it('ends with its stream: what is in flight is lost, and an idle connection is told to be closed', async () => {
    const onCall = await serve({ mode: 'streamEndsOnCall' });
    const connection = await requireConnection(onCall.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { code: 'connection_reset', message: textWith('the stream ended') } });
    expect(await closed).toMatchObject({ code: 'connection_reset' });
    const idle = await serve({ mode: 'streamEnds' });
    const other = await requireConnection(idle.url);
    expect(await new Promise((resolve) => other.onClosed(resolve))).toMatchObject({ code: 'connection_reset' });
  });

  it('says what keeps an answer from being read', async () => {
    const server = await serve({ mode: 'streamNoBlankLine' });
    const connection = await requireConnection(server.url);
    const call = echo();
    expect(await connection.callTool(call, afterSent(call, 500))).toMatchObject({ kind: 'aborted', heldUpBy: textWith('blank line') });
  });

  it('ends a request by an answer that can settle nothing, and takes a batch only where its revision has it', async () => {
    const object = await serve({ mode: 'streamErrorObject' });
    expect(await (await requireConnection(object.url)).callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', quoted: textWith('Session not found') });
    const batches = await serve({ mode: 'streamBatches' });
    expect((await connect(batches.url)).opened).toMatchObject({ ok: false, error: { code: 'protocol_error', message: textWith('batch') } });
  });
});

describe('a server of HTTP+SSE that cannot be set up', () => {
  it.each<(typeof REFUSALS)[number]>([
    ...REFUSALS,
    ['endpointEnds', 'not_an_mcp_endpoint', 'http'],
    ['postUnauthorized', 'unauthorized', 'auth'],
  ])('%s is told as %s at %s', async (mode, code, stage) => {
    const server = await serve({ mode });
    const { opened, watched } = await connect(server.url, SHORT);
    expect(opened).toMatchObject({ ok: false, error: { code, stage } });
    expect(watched.ended().at(-1)).toBe(`${stage} failed`);
    await until(() => server.streams.size === 0, 'no stream is left');
  });

  it.each([
    ['silent', 'timed_out', 'http'],
    ['endpointNever', 'timed_out', 'http'],
    ['answersNothing', 'timed_out', 'negotiate'],
    ['postNever', 'timed_out', 'http'],
    ['hangsOnList', 'list_hangs', 'list'],
  ])('%s ends at its clock as %s', async (mode, code, stage) => {
    const server = await serve({ mode });
    const { opened } = await connect(server.url, { limits: { connect_s: 2 } });
    expect(opened).toMatchObject({ ok: false, error: { code, stage } });
    await until(() => server.streams.size === 0, 'no stream is left');
  });

  it('sends nothing to an endpoint of another origin, and names both', async () => {
    const sink = await startRawHttp({});
    cleanups.push(() => sink.close());
    const server = await serve({ hooks: { onOpen: (stream) => stream.write(`event: endpoint\ndata: ${sink.origin}/messages\n\n`) } });
    const { opened } = await connect(server.url, { headers: CREDENTIALS });
    expect(opened).toMatchObject({ ok: false, error: { code: 'endpoint_elsewhere', message: textWith(sink.origin), remediation: textWith('proxy') } });
    if (!opened.ok) expect(opened.error.message).toContain(server.origin);
    expect(sink.requests).toEqual([]);
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['file:///etc/passwd', 'endpoint_elsewhere'],
    ['javascript:alert(1)', 'endpoint_elsewhere'],
    ['http://[', 'not_an_mcp_endpoint'],
  ])('tells an endpoint that is no address of the web at once, as it was named (%s)', async (named, code) => {
    const server = await serve({ hooks: { onOpen: (stream) => stream.write(`event: endpoint\ndata: ${named}\n\n`) } });
    const { opened } = await connect(server.url, { headers: CREDENTIALS });
    expect(opened).toMatchObject({ ok: false, error: { code, message: textWith(`"${named}"`) } });
    if (!opened.ok) expect(opened.error.message).not.toContain('null');
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('follows no redirect to another origin', async () => {
    const sink = await startRawHttp({});
    const server = await startRawHttp({ hook: redirectTo(sink.url) });
    cleanups.push(() => sink.close(), () => server.close());
    expect((await connect(server.url, { headers: CREDENTIALS })).opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith(sink.url) } });
    const posts = await serve({ hooks: { onPost: (response) => (response.writeHead(307, { location: sink.url }).end(), true) } });
    expect((await connect(posts.url, { headers: CREDENTIALS })).opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith(sink.url) } });
    expect(sink.requests).toEqual([]);
  });

  it('has no modern era', async () => {
    const { opened } = await connect('http://127.0.0.1:9/sse', { era: 'modern' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'config_invalid', stage: 'config', message: textWith('modern') } });
  });
});

describe('the id of the session that an endpoint has in its query', () => {
  it('is posted with, and shown in no failure, note, remark or traffic', async () => {
    const sessionId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
    let calls = 0;
    const server = await serve({
      hooks: {
        sessionId,
        onPost: (response, message, stream) => {
          if (message.method !== 'tools/call') return false;
          calls += 1;
          if (calls === 1) {
            stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: `session ${sessionId} is at work` } })}\n\n`);
            stream?.write(`data: {"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"error":{"code":-32000,"message":"not in ${sessionId}"}}\n\n`);
            response.writeHead(202).end();
          } else response.writeHead(calls === 2 ? 403 : 400, { 'content-type': 'text/plain' }).end(`/messages?sid=${sessionId} is refused (${encodeURIComponent(sessionId)})`);
          return true;
        },
      },
    });
    const { opened, watched, passed, remarks } = await connect(server.url);
    if (!opened.ok) throw new Error(opened.error.message);
    const calling = Array.from({ length: 3 }, () => echo());
    const answers: unknown[] = [];
    for (const call of calling) answers.push(await opened.value.callTool(call, never));
    expect(answers[0]).toMatchObject({ kind: 'rpc_error', message: 'not in [redacted]' });
    expect(answers[1]).toMatchObject({ kind: 'not_sent', failure: { code: 'forbidden', message: textWith('[redacted]') } });
    expect(calling[0]?.notes.map(({ text }) => text)).toEqual(['info: session [redacted] is at work']);
    expect(passed.filter(([, text]) => text.includes('[redacted]')).length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify([answers, calling.map(({ notes }) => notes), watched.lines, watched.stages, remarks, passed])).not.toContain(sessionId);
    expect(server.requests.filter(({ path }) => path === `/messages?sid=${sessionId}`).length).toBeGreaterThan(3);
  });

  it('is not shown where what was named is no address', async () => {
    const server = await serve({ hooks: { onOpen: (stream) => stream.write('event: endpoint\ndata: http://[/messages?sid=6f9619ff-8b86\n\n') } });
    const { opened } = await connect(server.url, SHORT);
    expect(opened).toMatchObject({ ok: false, error: { code: 'not_an_mcp_endpoint', message: textWith('http://[/messages') } });
    expect(JSON.stringify(opened)).not.toContain('6f9619ff');
  });
});
