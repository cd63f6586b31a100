import { describe, expect, it } from 'vitest';
import { echo, httpServers } from './http-testing';
import { afterSent, never, textWith, until, watchedCall } from './testing';

const { serve, requireOpen, requireConnection } = httpServers();

const isResumption = ({ method, headers }: { method: string; headers: Record<string, unknown> }) => method === 'GET' && headers['last-event-id'] !== undefined;

describe('a stream that breaks off before the answer', () => {
  it.each(['dropsEnd', 'dropsReset', 'dropsOnce', 'dropsMany', 'dropsMidAnswer', 'dropsBehindGateway', 'dropsToAnyStream'])('is resumed after its last event (%s)', async (mode) => {
    const server = await serve({ mode });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    const call = echo('resumed');
    expect(await connection.callTool(call, never)).toMatchObject({ kind: 'result', result: { content: [{ text: textWith('resumed') }] } });
    const calls = server.requests.filter(({ message }) => message?.method === 'tools/call');
    expect(calls).toHaveLength(1);
    const resumptions = server.requests.filter(isResumption);
    expect(resumptions.length).toBeGreaterThan(0);
    for (const { headers } of resumptions) {
      expect(headers['mcp-session-id']).toBeTruthy();
      expect(headers['mcp-protocol-version']).toBe('2025-11-25');
      expect(headers.accept).toContain('text/event-stream');
    }
    if (mode === 'dropsEnd' || mode === 'dropsReset') {
      expect(resumptions.map(({ headers }) => headers['last-event-id'])).toEqual(['call-0', 'call-1', 'call-2']);
      expect(call.notes.map(({ progress }) => progress)).toEqual([1, 2]);
      // Never sooner than the server asked for; a timer may be a millisecond early.
      for (const [index, { at }] of resumptions.slice(1).entries()) expect(at - (resumptions[index]?.at ?? 0)).toBeGreaterThanOrEqual(28);
    }
  });

  it.each([['dropsRefused405', 405], ['dropsRefused404', 404], ['dropsRefused400', 400]])('is lost where the server does not resume it (%s)', async (mode, status) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { message: textWith(`HTTP ${status}`) } });
    expect(server.requests.filter(isResumption)).toHaveLength(1);
  });

  it('is lost where it numbers no events, and is not asked for again', async () => {
    const server = await serve({ mode: 'sseEndsEarly' });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { message: textWith('ended without the answer') } });
    expect(server.requests.filter(isResumption)).toEqual([]);
  });

  it('is lost after a bounded number of tries where the server cannot be reached', async () => {
    const server = await serve({ mode: 'dropsForGood' });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { message: textWith('several tries') } });
    expect(server.requests.filter(isResumption)).toHaveLength(5);
  });

  it('is not resumed any more for a call that was given up', async () => {
    const server = await serve({ mode: 'dropsForGood' });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    const call = echo();
    expect(await connection.callTool(call, afterSent(call, 500))).toMatchObject({ kind: 'aborted', sent: true });
    await until(() => server.requests.some(({ message }) => message?.method === 'notifications/cancelled'), 'the server was told');
    const tries = server.requests.filter(isResumption).length;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(server.requests.filter(isResumption)).toHaveLength(tries);
  });

  it('is not resumed once the answer has come', async () => {
    const server = await serve({ mode: 'dropsOnce' });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    await connection.callTool(echo(), never);
    const tries = server.requests.filter(isResumption).length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.requests.filter(isResumption)).toHaveLength(tries);
  });
});

describe('an answer that is begun and not ended', () => {
  it.each([['sseUnfinished', 'an event of the stream was begun and not ended'], ['bodyUnfinished', 'the answer was begun and not ended: 20 bytes']])(
    'names that when the call is given up (%s)',
    async (mode, words) => {
      const server = await serve({ mode });
      const connection = await requireConnection(server.url);
      const call = echo();
      expect(await connection.callTool(call, afterSent(call, 500))).toMatchObject({ kind: 'aborted', sent: true, heldUpBy: textWith(words) });
    },
  );

  it('is named when the set-up runs out of time', async () => {
    const server = await serve({ mode: 'sseUnfinishedList' });
    await expect(requireOpen(server.url, { limits: { connect_s: 2 } })).rejects.toThrow(/list_hangs.*begun and not ended/);
  });
});

describe('an answer that belongs to nobody', () => {
  it('settles neither another call nor the one whose stream it came on', async () => {
    const server = await serve({ mode: 'pushForges' });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    await until(() => server.requests.some(({ method }) => method === 'GET'), 'the push stream is open');
    const answers = await Promise.all([connection.callTool(echo('one'), never), connection.callTool(echo('two'), never)]);
    for (const [index, text] of ['one', 'two'].entries()) expect(answers[index]).toMatchObject({ kind: 'result', result: { content: [{ text: textWith(text) }] } });
  });

  it.each([['foreignOnCall', 'it does not answer the request'], ['emptyOnCall', 'it is empty'], ['htmlOnCall', 'a web page'], ['acceptedOnCall', 'it is empty']])(
    'ends the call at once where it is the whole body (%s)',
    async (mode, words) => {
      const server = await serve({ mode });
      const connection = await requireConnection(server.url);
      expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', message: textWith(words) });
    },
  );

  it('ends the call where it should come over a push stream that the server has not', async () => {
    const server = await serve({
      hook: async ({ request, response }) => {
        if (request.method === 'GET') {
          await new Promise((resolve) => setTimeout(resolve, 500));
          response.writeHead(405).end();
          return true;
        }
        if (request.message?.method !== 'tools/call') return false;
        response.writeHead(202).end();
        return true;
      },
    });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', message: textWith('no stream') });
  });

  it('may come over the push stream where the server said so', async () => {
    const server = await serve({ mode: 'pushAnswers' });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    await until(() => server.requests.some(({ method }) => method === 'GET'), 'the push stream is open');
    expect(await connection.callTool(echo('pushed'), never)).toMatchObject({ kind: 'result' });
  });
});

describe('what passes on the wire', () => {
  it('is told once, as it was', async () => {
    const server = await serve({ mode: 'dropsEnd' });
    const { connection, wire } = await requireOpen(server.url, { era: 'legacy' });
    await connection.callTool(echo('seen'), never);
    const sent = server.requests.filter(({ message }) => message !== null).map(({ body }) => body);
    expect(wire.filter(({ direction }) => direction === 'sent').map(({ text }) => text)).toEqual(sent);
    const received = wire.filter(({ direction }) => direction === 'received').map(({ text }) => text);
    expect(received.filter((text) => text.includes('"progress"'))).toHaveLength(2);
    expect(received.filter((text) => text.includes('seen'))).toHaveLength(1);
  });

  it.each([false, true])('is told with its beginning and size where it is too large (in a stream: %s)', async (answersInStream) => {
    const server = await serve({ mode: 'calls', answersInStream });
    const { connection, wire } = await requireOpen(server.url, { limits: { max_message_bytes: 100_000 } });
    expect(await connection.callTool(watchedCall('big'), never)).toMatchObject({ kind: 'too_large', limitBytes: 100_000 });
    const large = wire.filter(({ sizeBytes }) => sizeBytes > 100_000);
    expect(large).toHaveLength(1);
    expect(large[0]?.text).toMatch(/^\{"jsonrpc"/);
    expect(await connection.callTool(watchedCall('quiet'), AbortSignal.timeout(10_000))).toMatchObject({ kind: 'result' });
  });
});
