import { describe, expect, it } from 'vitest';
import { isObject } from '@/lib/core';
import { modern } from '../../../e2e/servers/raw/http-modern.mjs';
import { tool } from '../../../e2e/servers/raw/protocol.mjs';
import { echo, httpServers } from './http-testing';
import { afterSent, never, textWith, until, watchedCall } from './testing';

const { serve, connect, requireOpen, requireConnection } = httpServers();

const META = 'io.modelcontextprotocol/';

describe('the modern era over HTTP', () => {
  it('says revision, method and name in the head of each request, and all of it in the envelope', async () => {
    const server = await serve({ mode: 'modernOk' });
    const connection = await requireConnection(server.url, { headers: { 'X-Api-Key': 'k' } });
    expect(connection.facts).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', serverInfo: { name: 'modern by hand' } });
    await connection.callTool(echo('hi'), never);
    await connection.readResource('note://ä', never);
    await connection.getPrompt('größe', {}, never);
    await connection.close();
    expect(server.requests.map(({ method }) => method)).toEqual(Array(server.requests.length).fill('POST'));
    for (const { headers, message } of server.requests) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': message?.method, 'x-api-key': 'k' });
      expect(headers['mcp-session-id']).toBeUndefined();
      expect(message?.params).toMatchObject({ _meta: { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientInfo`]: { name: 'signalbox' } } });
    }
    const namesOf = (method: string) => server.requests.find(({ message }) => message?.method === method)?.headers['mcp-name'];
    expect(namesOf('tools/call')).toBe('echo');
    expect(namesOf('resources/read')).toBe(`=?base64?${Buffer.from('note://ä').toString('base64')}?=`);
    expect(namesOf('prompts/get')).toBe(`=?base64?${Buffer.from('größe').toString('base64')}?=`);
  });

  it.each([
    ['eu-west', 'eu-west'],
    ['Köln', '=?base64?S8O2bG4=?='],
    ['a\r\nX-Injected: 1', `=?base64?${Buffer.from('a\r\nX-Injected: 1').toString('base64')}?=`],
    [' padded ', `=?base64?${Buffer.from(' padded ').toString('base64')}?=`],
    ['=?base64?literal?=', `=?base64?${Buffer.from('=?base64?literal?=').toString('base64')}?=`],
    [null, undefined],
  ])('mirrors the argument %j into its header', async (region, header) => {
    const server = await serve({ mode: 'modernOk' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(watchedCall('echo', { region }), never)).toMatchObject({ kind: 'result' });
    const { headers } = server.requests.find(({ message }) => message?.method === 'tools/call') ?? {};
    expect(headers?.['mcp-param-region']).toBe(header);
    expect(headers?.['x-injected']).toBeUndefined();
  });

  it('sets a tool aside whose header cannot be, and keeps the rest', async () => {
    const bad = (header: unknown) => tool('bad', { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': header } } });
    const server = await serve({ hook: modern({}, { tools: [tool('good'), bad('no space'), { ...bad(''), name: 'empty' }] }) });
    const connection = await requireConnection(server.url);
    expect(connection.lists.toolList.tools.map(({ name }) => name)).toEqual(['good']);
    expect(connection.lists.toolList.setAside.map(({ name }) => name)).toEqual(['bad', 'empty']);
  });

  it('reads the list again and calls once more where the headers do not fit any more', async () => {
    const server = await serve({ mode: 'modernHeaderRenamed' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo('new'), never)).toMatchObject({ kind: 'result' });
    expect(server.requests.filter(({ message }) => message?.method === 'tools/call')).toHaveLength(2);
  });

  it.each([['modernHeaderMismatch', -32_020, 2], ['modernCapability', -32_021, 1]])('gives the error of a refused call as it is (%s)', async (mode, code, calls) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'rpc_error', code });
    expect(server.requests.filter(({ message }) => message?.method === 'tools/call')).toHaveLength(calls);
  });

  it('gives the error in a 404 for a method that the server does not have', async () => {
    const server = await serve({ mode: 'modernOk' });
    const connection = await requireConnection(server.url);
    expect(await connection.getPrompt('none', {}, never)).toMatchObject({ kind: 'rpc_error', code: -32_601 });
  });

  it('falls back to a revision that is shared, and tells where none is', async () => {
    const server = await serve({ mode: 'modernSpeaksLegacy' });
    const connection = await requireConnection(server.url);
    expect(connection.facts).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' });
    const future = await serve({ mode: 'modernSpeaksFuture' });
    const { opened } = await connect(future.url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'no_shared_revision', message: textWith('2031-01-01') } });
    expect(opened).toMatchObject({ error: { message: textWith('2026-07-28') } });
  });

  it.each([['modernAsks', 1], ['modernAsksTwice', 2], ['modernState', 2]])('answers what a call asks for with a decline, and says its state back (%s)', async (mode, rounds) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    const call = echo();
    const answer = await connection.callTool(call, never);
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ text: textWith(`round-${rounds}`) }] } });
    const calls = server.requests.flatMap(({ message }) => (message?.method === 'tools/call' ? [message] : []));
    expect(calls.map(({ params }) => (isObject(params) ? params.requestState : null))).toEqual([undefined, ...Array.from({ length: rounds }, (_, index) => `round-${index + 1}`)]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(rounds + 1);
    if (mode !== 'modernState') expect(answer).toMatchObject({ result: { content: [{ text: textWith('decline') }] } });
  });

  it('ends a call that asks without end', async () => {
    const server = await serve({ mode: 'modernAsksForEver' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', message: textWith('10 rounds') });
    expect(server.requests.filter(({ message }) => message?.method === 'tools/call').length).toBeLessThanOrEqual(11);
  });

  it('cancels by closing the stream, and sends nothing for it', async () => {
    const server = await serve({ mode: 'modernStreams' });
    const connection = await requireConnection(server.url);
    const call = echo();
    expect(await connection.callTool(call, afterSent(call, 500))).toMatchObject({ kind: 'aborted', sent: true });
    expect(call.notes.length).toBeGreaterThan(1);
    await until(async () => (await server.countConnections()) <= 1, 'the stream is closed');
    expect(server.requests.filter(({ message }) => message?.method === 'notifications/cancelled')).toEqual([]);
  });

  it('resumes no stream: one that ends early is lost', async () => {
    const server = await serve({ mode: 'modernDrops' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost' });
    expect(server.requests.filter(({ method }) => method === 'GET')).toEqual([]);
  });

  it('takes a list as it is for as long as its hint says, and reads it again when it is needed after that', async () => {
    const server = await serve({
      hook: modern({
        'tools/list': ({ request, response }) => {
          const result = { resultType: 'complete', tools: [tool('echo')], ttlMs: 1, cacheScope: 'public' };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: request.message?.id, result }));
          return true;
        },
      }),
    });
    const connection = await requireConnection(server.url);
    const reads = () => server.requests.filter(({ message }) => message?.method === 'tools/list').length;
    await connection.callTool(echo(), never);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(reads()).toBe(1);
    await connection.callTool(echo(), never);
    await until(() => reads() === 2, 'the list is read again');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(reads()).toBe(2);
  });

  it('ignores a session that a server gives', async () => {
    const server = await serve({
      hook: (context) => {
        context.response.setHeader('mcp-session-id', 'unwanted');
        return modern()(context);
      },
    });
    const { connection } = await requireOpen(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    expect(server.requests.filter(({ headers }) => headers['mcp-session-id'] !== undefined)).toEqual([]);
  });
});
