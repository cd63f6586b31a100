import { connect as connectTo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Hook, startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { echo, httpServers } from './http-testing';
import { never, textWith, until, watchedCall } from './testing';

const { cleanups, serve, connect, requireOpen, requireConnection } = httpServers();

type RawServer = Awaited<ReturnType<typeof startRawHttp>>;
const countOf = ({ requests }: RawServer, what: string) => requests.filter(({ method, message }) => method === what || message?.method === what).length;

describe('a session', () => {
  it.each(['loses404', 'loses400'])('that the server forgot refuses the call unread, and ends (%s)', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url, { era: 'legacy' });
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'session_lost' } });
    expect(await closed).toMatchObject({ code: 'session_lost' });
    expect(countOf(server, 'DELETE')).toBe(0);
  });

  it('is ended with its id and revision at each of 50 closes, and no socket stays', async () => {
    const server = await serve({});
    for (let index = 0; index < 50; index += 1) {
      const { connection } = await requireOpen(server.url, { era: 'legacy' });
      await connection.close();
    }
    const deletes = server.requests.filter(({ method }) => method === 'DELETE');
    expect(new Set(deletes.map(({ headers }) => headers['mcp-session-id'])).size).toBe(50);
    for (const { headers } of deletes) expect(headers['mcp-protocol-version']).toBe('2025-11-25');
    expect(server.sessions.size).toBe(0);
    await until(async () => (await server.countConnections()) === 0, 'every socket is closed');
  });

  it.each(['refusesDelete', 'ignoresDelete'])('is left where its server does not let it go (%s)', async (mode) => {
    const server = await serve({ mode });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    const began = Date.now();
    await connection.close();
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(countOf(server, 'DELETE')).toBe(1);
    await until(async () => (await server.countConnections()) === 0, 'every socket is closed');
  });

  it.each([204, 401, 404, 500])('is ended whatever the server says to that (HTTP %s)', async (status) => {
    const server = await serve({
      hook: ({ request, response }) => {
        if (request.method !== 'DELETE') return false;
        response.writeHead(status).end('so be it');
        return true;
      },
    });
    const { connection, remarks } = await requireOpen(server.url, { era: 'legacy' });
    await connection.close();
    expect(countOf(server, 'DELETE')).toBe(1);
    expect(remarks.filter((remark) => !remark.startsWith('pushes nothing'))).toEqual([]);
  });

  it('is told by a push stream alone to be gone, and is not given up for that', async () => {
    let isOpen = true;
    const server = await serve({
      hook: ({ request, response }) => {
        if (request.method !== 'GET') return false;
        if (isOpen) response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\ndata:\n\n');
        else response.writeHead(404).end();
        isOpen = false;
        return true;
      },
    });
    const { connection, remarks } = await requireOpen(server.url, { era: 'legacy' });
    await until(() => remarks.length > 0, 'the refusal is told');
    expect(remarks).toEqual(['pushes nothing any more (HTTP 404)']);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });
});

describe('a session that is forgotten before the lists were read', () => {
  /** Forgets the session when this is asked for, so often; what `initialize` gets after that is of `then`. */
  const forgetful = (status: number, body: string, times: number, then = 200): Hook => {
    let left = times;
    return ({ request, response, sessions }) => {
      const method = request.message?.method;
      if (method === 'initialize' && then !== 200 && left < times) {
        response.writeHead(then).end('starting up');
        return true;
      }
      if (method !== 'tools/list' || left === 0) return false;
      left -= 1;
      sessions.clear();
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
  };

  it.each([[404, '{"error":"gone"}'], [400, '{"error":"No valid session ID provided"}']])('is opened anew, once (HTTP %s)', async (status, body) => {
    for (const era of ['auto', 'legacy'] as const) {
      const server = await serve({ hook: forgetful(status, body, 1) });
      const { connection, remarks } = await requireOpen(server.url, { era });
      expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
      expect(countOf(server, 'initialize')).toBe(2);
      expect(remarks).toContainEqual(textWith('forgot the session'));
    }
  });

  it('each time is told with what can be done', async () => {
    const server = await serve({ hook: forgetful(404, '', 9) });
    const { opened } = await connect(server.url, { era: 'legacy' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'session_lost', remediation: textWith('several instances') } });
    expect(countOf(server, 'initialize')).toBe(2);
  });

  it('and cannot be opened anew is told by why', async () => {
    const server = await serve({ hook: forgetful(404, '', 1, 503) });
    const { opened } = await connect(server.url, { era: 'legacy' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'server_error', message: textWith('503') } });
  });
});

describe('a connection', () => {
  it('outlives a gateway page, however long, and shows its beginning only', async () => {
    const server = await serve({ mode: 'badGatewayOnce' });
    const connection = await requireConnection(server.url);
    const answer = await connection.callTool(echo(), never);
    expect(answer).toMatchObject({ kind: 'lost', failure: { code: 'server_error', message: textWith('HTTP 502'), evidence: { httpStatus: 502, body: textWith('<script>') } } });
    if (answer.kind === 'lost') {
      expect(answer.failure.message).not.toContain('<');
      expect(answer.failure.evidence.body?.length).toBe(2_000);
    }
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    expect(countOf(server, 'initialize')).toBe(1);
  });

  it('ends where a call asks for a sign-in', async () => {
    const server = await serve({ mode: 'unauthorizedCall' });
    const connection = await requireConnection(server.url);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'unauthorized' } });
    expect(await closed).toMatchObject({ code: 'unauthorized' });
  });

  it('names the scope that a call lacks, whatever scheme comes first', async () => {
    const server = await serve({ mode: 'forbiddenCall' });
    const connection = await requireConnection(server.url);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'forbidden', remediation: textWith('files:write files:read') } });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent' });
  });

  it('sends the next call on a fresh socket after one that was kept was cut', async () => {
    const server = await serve({ mode: 'calls' });
    const relay = await startRelay(server.port);
    cleanups.push(relay.close);
    const connection = await requireConnection(`http://127.0.0.1:${relay.port}/mcp`, { era: 'legacy' });
    // One call is in flight throughout; the others leave several sockets free.
    const stop = new AbortController();
    const held = watchedCall('never');
    const holding = connection.callTool(held, stop.signal);
    await until(() => held.heard.includes('sent'), 'one call is in flight');
    await Promise.all(Array.from({ length: 5 }, () => connection.callTool(watchedCall('quiet', { ms: 300 }), never)));
    const before = relay.opened();
    expect(before).toBeGreaterThan(3);
    relay.goStale();
    expect(await connection.callTool(watchedCall('quiet'), never)).toMatchObject({ kind: 'lost', failure: { code: 'connection_reset' } });
    expect(await connection.callTool(watchedCall('quiet'), never)).toMatchObject({ kind: 'result' });
    expect(relay.opened()).toBeGreaterThan(before);
    stop.abort();
    await holding;
  });
});

/** A way in front of a server that forgets its connections, as gateways do: what comes on a forgotten one is cut. */
async function startRelay(target: number) {
  const sockets = new Set<Socket>();
  const stale = new WeakSet<Socket>();
  let opened = 0;
  const relay = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    const onward = connectTo(target, '127.0.0.1');
    socket.on('data', (chunk) => {
      if (stale.has(socket)) socket.resetAndDestroy();
      else onward.write(chunk);
    });
    onward.on('data', (chunk) => socket.write(chunk));
    for (const [one, other] of [[socket, onward], [onward, socket]] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await new Promise<number>((resolve) => relay.listen(0, '127.0.0.1', () => {
    const address = relay.address();
    resolve(typeof address === 'object' && address !== null ? address.port : 0);
  }));
  const close = (): Promise<unknown> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => relay.close(resolve));
  };
  return { port, close, opened: () => opened, goStale: () => sockets.forEach((socket) => stale.add(socket)) };
}
