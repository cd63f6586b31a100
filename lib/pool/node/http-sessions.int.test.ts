import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { echo, httpServers } from './http-testing';
import { afterSent, never, textWith, until } from './testing';

const { cleanups, serve, requireOpen, requireConnection } = httpServers();

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
    const server = await serve({ mode: 'resetsOnCall' });
    // A way in front of the server, that says which socket each request came on.
    const sockets: Socket[] = [];
    const relay = createServer((socket) => {
      sockets.push(socket);
      const onward = new (socket.constructor as typeof Socket)();
      onward.connect(server.port, '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
      onward.on('close', () => socket.destroy());
    });
    const port = await new Promise<number>((resolve) => relay.listen(0, '127.0.0.1', () => {
      const address = relay.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    }));
    cleanups.push(() => new Promise((resolve) => relay.close(resolve)));
    const connection = await requireConnection(`http://127.0.0.1:${port}/mcp`);
    // A second call is in flight, so that the cut does not end the connection.
    const held = echo('held');
    const slow = connection.callTool(held, afterSent(held, 2_000));
    expect((await slow).kind).toMatch(/lost|result/);
    const before = sockets.length;
    const next = await connection.callTool(echo('next'), never);
    expect(['result', 'not_sent', 'lost']).toContain(next.kind);
    expect(sockets.length).toBeGreaterThanOrEqual(before);
  });
});
