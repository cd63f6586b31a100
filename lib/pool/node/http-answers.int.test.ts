import { describe, expect, it } from 'vitest';
import { echo, httpServers } from './http-testing';
import { RESULTS } from '../../../e2e/servers/raw/offers-results.mjs';
import { never, textWith, watchedCall } from './testing';

const { serve, connect, requireOpen, requireConnection } = httpServers();

describe('an encoded answer', () => {
  it.each(['encodedGzip', 'encodedBr', 'encodedDeflate', 'encodedDeflateRaw', 'encodedTwice', 'encodedIdentity', 'encodedStream'])('is decoded (%s)', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    const call = echo('decoded');
    expect(await connection.callTool(call, never)).toMatchObject({ kind: 'result', result: { content: [{ text: textWith('decoded') }] } });
    expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
    if (mode === 'encodedStream') expect(call.notes).toHaveLength(1);
  });

  it.each([['encodedGarbage', 'gzip', 'incorrect header check'], ['encodedTruncated', 'gzip', 'unexpected end'], ['encodedZstd', 'zstd', 'not asked for'], ['encodedUnknown', 'rot13', 'not asked for']])(
    'that cannot be decoded ends its call by name, and the next goes on (%s)',
    async (mode, label, why) => {
      const server = await serve({ mode });
      const connection = await requireConnection(server.url);
      const answer = await connection.callTool(echo(), never);
      expect(answer).toMatchObject({ kind: 'protocol_error', message: textWith(`labelled ${label} and cannot be decoded`) });
      expect(answer).toMatchObject({ message: textWith(why) });
      expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error' });
    },
  );

  it.each([['encodedGarbageList', 'list', 'gzip'], ['encodedZstdHandshake', 'http', 'zstd']])('that cannot be decoded fails the set-up by name (%s)', async (mode, stage, label) => {
    const server = await serve({ mode });
    const { opened } = await connect(server.url, { era: 'legacy' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'protocol_error', stage, message: textWith(`labelled ${label}`) } });
  });

  it('is bounded by its size when decoded', async () => {
    const server = await serve({ mode: 'encodedBomb' });
    const connection = await requireConnection(server.url, { limits: { max_message_bytes: 1_000_000 } });
    const before = process.memoryUsage().rss;
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'too_large', limitBytes: 1_000_000 });
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024);
  });
});

describe('the status of an answer', () => {
  it.each([999, 600])('that HTTP does not know ends its call by name (%s)', async (status) => {
    const server = await serve({
      hook: ({ request, response }) => {
        if (request.message?.method !== 'tools/call') return false;
        response.writeHead(status, 'odd \u00e9').end('denied');
        return true;
      },
    });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { message: textWith(`status ${status}`) } });
  });

  it('without a body may say that it is encoded', async () => {
    const server = await serve({
      hook: ({ request, response }) => {
        if (request.message?.id !== undefined || request.method !== 'POST') return false;
        response.writeHead(204, { 'content-encoding': 'zstd' }).end();
        return true;
      },
    });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });
});

describe('a result whose content is no list', () => {
  it('is taken whole; the first is warned of, and how many there were is told at the end', async () => {
    const server = await serve({ mode: 'results' });
    const warnings: string[] = [];
    const { connection, remarks } = await requireOpen(server.url, {}, { onWarning: (text) => warnings.push(text) });
    for (const name of ['r_nullContent', 'r_textContent', 'r_objectContent', 'r_noContent', 'r_brokenBlock']) {
      expect(await connection.callTool(watchedCall(name), never)).toMatchObject({ kind: 'result', result: RESULTS[name] });
    }
    expect(await connection.callTool(watchedCall('r_structuredOnly'), never)).toMatchObject({ kind: 'result' });
    expect(warnings).toEqual([textWith('its content is null')]);
    await connection.close();
    expect(remarks.at(-1)).toContain('5 results of calls');
  });
});

describe('the label of an answer', () => {
  it.each(['labelsMissing', 'labelsPlain'])('may be wrong where the body is a message; that is warned of once (%s)', async (mode) => {
    const server = await serve({ mode });
    const warnings: string[] = [];
    const { connection, remarks } = await requireOpen(server.url, {}, { onWarning: (text) => warnings.push(text) });
    expect(warnings).toHaveLength(1);
    await connection.refreshLists(never);
    expect(connection.lists.toolList.tools).toHaveLength(1);
    expect(remarks.filter((remark) => remark.includes('application/json is due'))).toHaveLength(1);
  });

  it('is read without regard to case and parameters', async () => {
    const server = await serve({ mode: 'labelsOddCase' });
    const { connection, remarks } = await requireOpen(server.url, { era: 'legacy' });
    expect(connection.lists.toolList.tools).toHaveLength(1);
    expect(remarks.filter((remark) => remark.includes('is due'))).toEqual([]);
  });

  it('makes a web page one, whatever it holds', async () => {
    const server = await serve({
      hook: async ({ request, response, answer }) => {
        if (request.message?.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(await answer()));
        return true;
      },
    });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', message: textWith('web page') });
  });
});

describe('a revision', () => {
  it('is said on every request but the handshake', async () => {
    const server = await serve({ mode: 'strictHeader' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    await connection.close();
    for (const { method, headers, message } of server.requests) {
      if (message?.method === 'server/discover') continue;
      expect([method, message?.method, headers['mcp-protocol-version']]).toEqual([method, message?.method, message?.method === 'initialize' ? undefined : '2025-11-25']);
    }
    expect(server.requests.map(({ method }) => method)).toEqual(expect.arrayContaining(['GET', 'DELETE']));
  });

  it('is the one that the server chose', async () => {
    const server = await serve({ mode: 'oldVersion' });
    const connection = await requireConnection(server.url);
    expect(connection.facts.protocolVersion).toBe('2024-11-05');
    await connection.callTool(echo(), never);
    expect(server.requests.at(-1)?.headers['mcp-protocol-version']).toBe('2024-11-05');
  });

  it.each([['badVersion', '1999-01-01'], ['noVersion', 'none']])('that nobody shares fails the set-up, naming both (%s)', async (mode, theirs) => {
    const server = await serve({ mode });
    const { opened } = await connect(server.url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'no_shared_revision', message: textWith(theirs) } });
    expect(opened).toMatchObject({ error: { message: textWith('2025-11-25') } });
  });

  it.each(['strictInWords', 'strictInData', 'strictInAnswer', 'strictInOtherWords'])('that is refused gives way to the newest one that the refusal names (%s)', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    expect(connection.facts.protocolVersion).toBe('2025-06-18');
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });

  it('that is refused where none is shared is told with what the server takes', async () => {
    const server = await serve({ mode: 'strictUnknown' });
    expect((await connect(server.url)).opened).toMatchObject({ ok: false, error: { code: 'no_shared_revision', message: textWith('1999-01-01') } });
  });

  it('that is refused although the refusal names it is told without a contradiction', async () => {
    const server = await serve({ mode: 'strictLiar' });
    const { opened } = await connect(server.url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'no_shared_revision', message: textWith('2025-06-18'), remediation: textWith('update it') } });
    if (!opened.ok) expect(opened.error.message).not.toContain('share no revision');
    expect(server.requests.filter(({ message }) => message?.method === 'initialize')).toHaveLength(2);
  });

  it('is enough for a handshake', async () => {
    const server = await serve({ mode: 'bareHandshake' });
    const connection = await requireConnection(server.url);
    expect(connection.facts).toMatchObject({ serverInfo: null, instructions: null });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });
});
