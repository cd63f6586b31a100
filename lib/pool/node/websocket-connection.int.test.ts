import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startLegacyWebSocket } from '../../../e2e/servers/legacy-websocket.mjs';
import { OFFERS } from '../../../e2e/servers/raw/offers.mjs';
import { closesOn, WS_MODES } from '../../../e2e/servers/raw/ws-modes.mjs';
import { startRawWs } from '../../../e2e/servers/raw-ws.mjs';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, never, resolvedRemote, textWith, until, watch, watchedCall } from './testing';
import { REFUSALS } from './testing-refusals';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Wishes = Parameters<typeof resolvedRemote>[2];

async function serve(options: Parameters<typeof startRawWs>[0]) {
  const server = await startRawWs(options);
  cleanups.push(() => server.close());
  return server;
}

async function connect(url: string, wishes: Wishes = {}) {
  const watched = watch(resolvedRemote('websocket', url, wishes));
  const opened = await openConnection(watched.options, never);
  if (opened.ok) cleanups.push(() => opened.value.close());
  return { opened, watched };
}

async function requireConnection(url: string, wishes: Wishes = {}): Promise<Connection> {
  const { opened } = await connect(url, wishes);
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  return opened.value;
}

const textOver = (bytes: number): unknown => expect.toSatisfy((value: unknown) => typeof value === 'number' && value > bytes);
const echo = (text = 'x') => watchedCall('echo', { text });
const SHORT = { limits: { connect_s: 3 } };

describe('a WebSocket server', () => {
  it('passes every stage with its headers and subprotocol on the handshake, and ends with a closing handshake', async () => {
    const server = await serve({});
    const { opened, watched } = await connect(server.url, { headers: { Authorization: 'Bearer t', 'X-Api-Key': 'k' } });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(watched.ended()).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate passed', 'list passed',
    ]);
    expect(opened.value.facts).toMatchObject({ transport: 'websocket', era: 'legacy' });
    expect(await opened.value.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    await opened.value.close();
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'x-api-key': 'k', 'sec-websocket-protocol': 'mcp' });
    expect(server.requests[0]?.headers['sec-websocket-extensions']).toBeUndefined();
    expect(server.peers[0]?.closed).toMatchObject({ code: 1000 });
    await until(() => server.openSockets() === 0, 'no socket is left');
  });

  it.each(['splitBytes', 'fragmented', 'fragmentedCalls', 'earlyHints', 'strayTexts', 'nulls', 'pings', 'noPong', 'endlessPages'])('reads %s', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    const [tool] = connection.lists.toolList.tools;
    expect(await connection.callTool(watchedCall(tool?.name ?? '', {}), never)).toMatchObject({ kind: 'result' });
  });

  it('speaks with the official SDK: progress, cancellation, resources, prompts', async () => {
    const server = await startLegacyWebSocket();
    cleanups.push(() => server.close());
    const connection = await requireConnection(server.url);
    expect(connection.facts).toMatchObject({ transport: 'websocket', era: 'legacy', serverInfo: { name: 'legacy' } });
    const slow = watchedCall('slow', {});
    expect(await connection.callTool(slow, never)).toMatchObject({ kind: 'result' });
    expect(slow.notes.length).toBeGreaterThan(0);
    const given = watchedCall('slow', { steps: 50 });
    expect(await connection.callTool(given, afterSent(given, 200))).toMatchObject({ kind: 'aborted', sent: true });
    await until(() => server.events.includes('slow cancelled'), 'the server was told');
    expect(await connection.readResource('note://one', never)).toMatchObject({ kind: 'result' });
    expect(await connection.getPrompt('greet', {}, never)).toMatchObject({ kind: 'result' });
    await connection.close();
    await until(() => server.clients.size === 0, 'the connection is gone');
  });

  it('answers pings, from the first moment on', async () => {
    const server = await serve({ mode: 'pings' });
    await requireConnection(server.url);
    await until(() => (server.peers[0]?.pongs.length ?? 0) > 2, 'pongs came');
    expect(server.peers[0]?.pongs[0]).toBe('are you there');
  });

  it('tells each message that passed once', async () => {
    const server = await serve({});
    const sent: string[] = [];
    const received: string[] = [];
    const watched = watch(resolvedRemote('websocket', server.url), { onWire: (direction, text) => (direction === 'sent' ? sent : received).push(text) });
    const opened = await openConnection(watched.options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    cleanups.push(() => opened.value.close());
    await opened.value.callTool(echo(), never);
    expect(sent).toEqual(server.peers[0]?.messages.map((message) => JSON.stringify(message)));
    expect(received).toHaveLength(sent.filter((text) => 'id' in JSON.parse(text)).length);
  });

  it('counts what is no message, and shows it', async () => {
    const server = await serve({ mode: 'strayTexts' });
    const connection = await requireConnection(server.url);
    expect(connection.strayLines.first).toBe('hello there');
    expect(connection.strayLines.count).toBeGreaterThanOrEqual(4);
  });

  it('finds the era by a probe, and opens it again for a server that closes on the probe', async () => {
    const server = await serve({ mode: 'closesOnProbe' });
    const { opened, watched } = await connect(server.url);
    expect(opened).toMatchObject({ ok: true, value: { facts: { era: 'legacy' } } });
    expect(server.peers).toHaveLength(2);
    expect([...watched.verdicts.verdicts.values()]).toMatchObject([{ era: 'legacy' }]);
    const mute = await serve({ hooks: { onMessage: (_peer, message) => message.method === 'server/discover' } });
    expect(await requireConnection(mute.url)).toMatchObject({ facts: { era: 'legacy' } });
    expect(mute.peers).toHaveLength(1);
  });
});

describe('messages over a WebSocket', () => {
  it.each(['calls', 'fragmentedCalls'])('end the one call whose answer is too large, and no other (%s)', async (mode) => {
    const calls = OFFERS.calls?.();
    const server = await serve(mode === 'calls' ? { mode } : { offer: calls, hooks: WS_MODES.fragmentedCalls?.() });
    const connection = await requireConnection(server.url, { limits: { max_message_bytes: 100_000 } });
    const neighbour = connection.callTool(watchedCall('quiet', { step_ms: 500 }), never);
    const large = await connection.callTool(watchedCall('big'), never);
    expect(large).toMatchObject({ kind: 'too_large', limitBytes: 100_000 });
    expect(large.kind === 'too_large' && large.sizeBytes).toBeGreaterThan(1_048_576);
    expect(await neighbour).toMatchObject({ kind: 'result' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    expect(server.peers).toHaveLength(1);
  });

  it.each([
    ['errorInsteadOfAnswer', 'Session not found'],
    ['cutOffAnswer', '"jsonrpc"'],
    ['unusableAnswer', 'all right'],
  ])('that can settle nothing end their request at once (%s)', async (mode, quoted) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'protocol_error', quoted: textWith(quoted) });
    await connection.refreshLists(never);
    expect(connection.lists.warnings).toEqual([]);
  });

  it('that are begun and not ended are told when the call is given up', async () => {
    const server = await serve({ mode: 'halfFrame' });
    const connection = await requireConnection(server.url);
    const call = echo();
    expect(await connection.callTool(call, afterSent(call, 500))).toMatchObject({ kind: 'aborted', heldUpBy: textWith('18 bytes') });
  });

  it('in a batch count in the one revision that has it', async () => {
    const server = await serve({ mode: 'batches' });
    expect((await connect(server.url)).opened).toMatchObject({ ok: false, error: { code: 'protocol_error', message: textWith('batch') } });
  });

  it.each([
    ['binaryAnswer', 'protocol_error', /binary message/, 1003],
    ['badUtf8InText', 'not_utf8', /byte 0xFF at offset 2/, 1007],
    ['maskedAnswer', 'protocol_error', /MASK must be clear/, 1002],
    ['reservedBits', 'protocol_error', /RSV1 must be clear/, 1002],
    ['strayContinuation', 'protocol_error', /opcode 0/, 1002],
    ['interleaved', 'protocol_error', /invalid opcode/, 1002],
    ['giantFrame', 'protocol_error', /2\^53/, 1009],
  ])('that are none end the connection, which says why (%s)', async (mode, code, said, closeCode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { code, message: textWith(said) } });
    expect(await closed).toMatchObject({ code });
    await until(() => server.peers[0]?.closed?.code === closeCode, 'the server is told');
    await until(() => server.openSockets() === 0, 'no socket is left');
  });
});

describe('a WebSocket that is closed', () => {
  it.each([
    [1000, 'closed_by_server', 'normal end'],
    [1001, 'closed_by_server', 'going away'],
    [1008, 'closed_for_policy', 'policy'],
    [1011, 'closed_by_server', 'error on its side'],
    [1012, 'closed_by_server', 'restarts'],
    [1013, 'closed_by_server', 'try again later'],
    [4401, 'unauthorized', 'close code 4401'],
    [4403, 'closed_for_policy', 'not allowed'],
    [4999, 'closed_by_server', 'code 4999'],
  ])('with %s while a call is out: the call is lost, and the end is told as %s', async (closeCode, code, words) => {
    const server = await serve({ hooks: closesOn('tools/call', closeCode, 'because of this') });
    const connection = await requireConnection(server.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({
      kind: 'lost', failure: { code, message: textWith(words), evidence: { closeCode, closeReason: 'because of this' } },
    });
    expect(await closed).toMatchObject({ message: textWith('because of this') });
    // The client answers the closing handshake with the same code.
    await until(() => server.peers[0]?.closed?.code === closeCode, 'the close is answered');
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent' });
  });

  it('while nobody calls tells it from the event', async () => {
    const server = await serve({ mode: 'goesAway' });
    const connection = await requireConnection(server.url);
    expect(await new Promise((resolve) => connection.onClosed(resolve))).toMatchObject({ code: 'closed_by_server', evidence: { closeCode: 1001 } });
  });

  it('without a closing handshake is a connection that broke off', async () => {
    const server = await serve({ mode: 'dropsOnCall' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'lost', failure: { code: 'connection_reset', message: textWith('1006') } });
  });

  it('during the handshake asks for the sign-in that the code says', async () => {
    const server = await serve({ mode: 'closesForSignIn' });
    expect((await connect(server.url)).opened).toMatchObject({ ok: false, error: { code: 'unauthorized', message: textWith('token expired') } });
  });

  it('by us leaves nothing, also of a server that does not answer the closing handshake', async () => {
    const server = await serve({ mode: 'noClose' });
    const connection = await requireConnection(server.url);
    await connection.close();
    expect(server.peers[0]?.closed).toMatchObject({ code: 1000 });
    await until(() => server.openSockets() === 0, 'no socket is left');
  });

  it('leaves nothing after many openings and closings', async () => {
    const server = await serve({});
    for (let round = 0; round < 25; round += 1) await (await requireConnection(server.url, { era: 'legacy' })).close();
    await until(() => server.openSockets() === 0, 'no socket is left');
  });
});

describe('a WebSocket server that does not read', () => {
  it('is told so when more waits for it than is kept, and the call is not sent', async () => {
    const server = await serve({ mode: 'stopsReading' });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    const large = 'x'.repeat(12 * 1_048_576);
    const calls = [1, 2, 3, 4].map(() => connection.callTool(echo(large), AbortSignal.timeout(3_000)));
    const answers = await Promise.all(calls);
    expect(answers.at(-1)).toMatchObject({ kind: 'not_sent', failure: { code: 'not_reading' } });
    expect(answers[0]).toMatchObject({ kind: 'aborted', sent: true, unreadBytes: textOver(1_048_576) });
    await connection.close();
    server.peers[0]?.socket.resume();
    await until(() => server.openSockets() === 0, 'no socket is left');
  });
});

describe('a WebSocket server that cannot be set up', () => {
  it.each<(typeof REFUSALS)[number]>([
    ...REFUSALS,
    ['upgradeRequired', 'not_an_mcp_endpoint', 'http'],
    ['redirectCross', 'redirected', 'http'],
    ['cutsHandshake', 'connection_reset', 'http'],
    ['garbageHandshake', 'not_an_mcp_endpoint', 'http'],
    ['wrongAccept', 'not_an_mcp_endpoint', 'http'],
    ['noSubprotocol', 'subprotocol_refused', 'http'],
    ['otherSubprotocol', 'subprotocol_refused', 'http'],
  ])('%s is told as %s at %s', async (mode, code, stage) => {
    const server = await serve({ mode });
    const { opened, watched } = await connect(server.url, SHORT);
    expect(opened).toMatchObject({ ok: false, error: { code, stage } });
    expect(watched.ended().at(-1)).toBe(`${stage} failed`);
    expect(server.requests.filter(({ method }) => method === 'UPGRADE')).toHaveLength(1);
    await until(() => server.openSockets() === 0, 'no socket is left');
  });

  it.each([
    ['handshakeNever', 'timed_out', 'http'],
    ['handshakeHalf', 'timed_out', 'http'],
    ['silent', 'timed_out', 'http'],
    ['mute', 'timed_out', 'negotiate'],
    ['hangsOnList', 'list_hangs', 'list'],
  ])('%s ends at its clock as %s', async (mode, code, stage) => {
    const server = await serve({ mode });
    const { opened } = await connect(server.url, { limits: { connect_s: 3 } });
    expect(opened).toMatchObject({ ok: false, error: { code, stage } });
    await until(() => server.openSockets() === 0, 'no socket is left');
  });

  it('tells an unknown host, a refused port and an address that is not allowed apart', async () => {
    expect((await connect('ws://no-such-host.invalid/mcp')).opened).toMatchObject({ ok: false, error: { code: 'host_unknown', stage: 'resolve' } });
    const free = createServer();
    await new Promise((resolve) => free.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = free.address();
    await new Promise((resolve) => free.close(resolve));
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect((await connect(`ws://127.0.0.1:${port}/mcp`)).opened).toMatchObject({ ok: false, error: { code: 'refused', stage: 'connect' } });
    expect((await connect('ws://169.254.169.254/mcp')).opened).toMatchObject({ ok: false, error: { code: 'address_not_allowed' } });
  });

  it('never shows a header or the subprotocol that was offered', async () => {
    const server = await serve({ mode: 'noSubprotocol' });
    const { opened } = await connect(server.url, { headers: { Authorization: 'Bearer hunter2-hunter2' } });
    expect(JSON.stringify(opened)).not.toContain('hunter2');
  });
});
