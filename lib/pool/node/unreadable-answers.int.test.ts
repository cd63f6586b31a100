import { describe, expect, it } from 'vitest';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import { echo, httpServers } from './http-testing';
import { never, openRawServers, resolvedRemote, textWith } from './testing';

const { serve, open, requireConnection, connect, cleanups } = httpServers();
const { requireConnection: requireStdio } = openRawServers();

/** An answer with one byte that no UTF-8 has. */
const toBadBytes = (id: unknown): Buffer => Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[{"type":"text","text":"a`), Buffer.from([0xff]), Buffer.from('b"}]}}')]);
const inEvent = (data: Buffer | string): Buffer => Buffer.concat([Buffer.from('event: message\ndata: '), Buffer.from(data), Buffer.from('\n\n')]);
const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

/** A server that answers each request of one method with these bytes. */
const answersWith = (method: string, headers: Record<string, string>, toBytes: (id: unknown) => Buffer | string) =>
  serve({
    hook: ({ request, response }) => {
      if (request.message?.method !== method) return false;
      response.writeHead(200, headers).end(toBytes(request.message.id));
      return true;
    },
  });

async function openSse(hooks: NonNullable<Parameters<typeof startRawSse>[0]>['hooks']) {
  const server = await startRawSse({ hooks });
  cleanups.push(() => server.close());
  const { opened } = await open(resolvedRemote('sse', server.url));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

describe('an answer that is not UTF-8', () => {
  it.each([
    ['a body', JSON_TYPE, toBadBytes],
    ['a body that is cut in a character', JSON_TYPE, () => Buffer.from('{"jsonrpc":"2.0","id":9,"result":{"a":"\u00e9').subarray(0, -1)],
    ['a stream', STREAM_TYPE, (id: unknown) => inEvent(toBadBytes(id))],
  ])('ends its call, which names the byte, and no other (%s)', async (_what, headers, toBytes) => {
    const server = await answersWith('tools/call', headers, toBytes);
    const connection = await requireConnection(server.url, { era: 'legacy' });
    const answer = await connection.callTool(echo(), never);
    expect(answer).toMatchObject({ kind: 'protocol_error', message: textWith(/is not UTF-8 \(byte 0x(?:FF|C3) at offset \d+\)/) });
    expect(JSON.stringify(answer)).not.toContain('\uFFFD');
    expect(await connection.ping(never)).toMatchObject({ kind: 'result' });
  });

  it('fails a handshake by name', async () => {
    const server = await answersWith('initialize', JSON_TYPE, toBadBytes);
    const { opened } = await connect(server.url, { era: 'legacy' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'protocol_error', message: textWith('byte 0xFF at offset') } });
  });

  it('ends the connection where one stream has all answers', async () => {
    const connection = await openSse({
      onPost: (response, message, stream) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(202).end();
        stream?.write(inEvent(toBadBytes(message.id)));
        return true;
      },
    });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { code: 'not_utf8', message: textWith('byte 0xFF at offset') } });
  });
});

const toResult = (id: unknown, text: string): string => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

describe('a batch over HTTP', () => {
  it.each([['body', JSON_TYPE, (text: string) => text], ['stream', STREAM_TYPE, inEvent]] as const)('is read in the revision that has them alone (%s)', async (_what, headers, wrap) => {
    for (const revision of ['2025-03-26', '2025-06-18']) {
      const server = await serve({
        offer: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }], callTool: () => ({}), initialize: { protocolVersion: revision } },
        hook: ({ request, response }) => {
          if (request.message?.method !== 'tools/call') return false;
          response.writeHead(200, headers).end(wrap(`[${toResult(request.message.id, 'batched')}]`));
          return true;
        },
      });
      const connection = await requireConnection(server.url, { era: 'legacy' });
      expect(await connection.callTool(echo(), never)).toMatchObject(
        revision === '2025-03-26' ? { kind: 'result' } : { kind: 'protocol_error', message: textWith('only revision 2025-03-26 has'), quoted: textWith('batched') },
      );
    }
  });
});

describe('an empty batch', () => {
  it.each([['body', JSON_TYPE, '[]'], ['stream', STREAM_TYPE, inEvent('[]')]] as const)('ends the request that it came back for (%s)', async (_what, headers, bytes) => {
    const server = await answersWith('tools/call', headers, () => bytes);
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', quoted: '[]' });
  });

  it('ends the only request that waits on a channel for all', async () => {
    const connection = await openSse({
      onPost: (response, message, stream) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(202).end();
        stream?.write(inEvent('[]'));
        return true;
      },
    });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', message: textWith('empty batch'), quoted: '[]' });
  });

  it('ends the only request that waits on stdio', async () => {
    const { connection } = await requireStdio('emptyBatch', { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', message: textWith('empty batch'), quoted: '[]' });
  });
});

describe('the body of a POST over HTTP+SSE', () => {
  const answering = (toBody: (id: unknown) => string, status = 200) =>
    openSse({
      onPost: (response, message) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(status, JSON_TYPE).end(toBody(message.id));
        return true;
      },
    });

  it('may hold the answer, which settles the request', async () => {
    const connection = await answering((id) => toResult(id, 'in the body'));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result', result: { content: [{ text: 'in the body' }] } });
  });

  it.each([['a cut one', (id: unknown) => toResult(id, 'x').slice(0, -4)], ['one without a result', (id: unknown) => `{"jsonrpc":"2.0","id":${String(id)}}`], ['an empty batch', () => '[]']])(
    'ends the request where it is unusable (%s)',
    async (_what, toBody) => {
      const connection = await answering(toBody);
      expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error' });
    },
  );
});

describe('a byte-order mark before the first frame', () => {
  it.each(['bomLine', 'bomAfterText'])('is no stray line (%s)', async (mode) => {
    const { connection } = await requireStdio(mode, { era: 'legacy' });
    expect(connection.strayLines.count).toBe(mode === 'bomLine' ? 0 : 1);
    expect(connection.strayLines.first ?? '').not.toContain('jsonrpc');
  });
});
