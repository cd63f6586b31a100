import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startLegacyWebSocket } from '../../../e2e/servers/legacy-websocket.mjs';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { closesOn } from '../../../e2e/servers/raw/ws-modes.mjs';
import { startRawWs } from '../../../e2e/servers/raw-ws.mjs';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, never, resolvedRemote, textWith, until, watch, watchedCall } from './testing';

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

  it.each(['splitBytes', 'fragmented', 'fragmentedCalls', 'earlyHints', 'strayTexts', 'stringIds', 'nulls', 'pings', 'noPong'])('reads %s', async (mode) => {
    const server = await serve(mode === 'stringIds' ? {} : { mode });
    const connection = await requireConnection(server.url);
    expect(connection.lists.toolList.tools.length).toBeGreaterThan(0);
  });

  it('counts what is no message, and shows it', async () => {
    const server = await serve({ mode: 'strayTexts' });
    const connection = await requireConnection(server.url);
    expect(connection.strayLines).toMatchObject({ first: 'hello there' });
    expect(connection.strayLines.count).toBeGreaterThanOrEqual(4);
  });
});
