import { createServer as createHttpServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as dialSocket, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, expect } from 'vitest';
import type { ConnectFailureCode, Stage } from '@/lib/pool';
import type { ConnectionTestResult } from '../test-result';
import { openTestBench } from './testing';

/** For tests: what the tests of remote servers share. */

/** What a test says of a hand-made server in this mode. */
export interface FailingServer {
  readonly mode: string;
  readonly code: ConnectFailureCode;
  readonly stage: readonly Stage[];
  /** Parts of the sentence or the remedy. */
  readonly names: readonly string[];
  readonly httpStatus?: number;
  /** Of the entry. */
  readonly fields?: object;
}

/** Refusals that every transport to a remote server tells alike. */
export const FAILING_SERVERS: readonly FailingServer[] = [
  { mode: 'html200', code: 'not_an_mcp_endpoint', stage: ['http', 'negotiate'], names: ['web page'], httpStatus: 200 },
  { mode: 'plain200', code: 'not_an_mcp_endpoint', stage: ['http', 'negotiate'], names: ['200'], httpStatus: 200 },
  { mode: 'plain404', code: 'not_an_mcp_endpoint', stage: ['http'], names: ['404'], httpStatus: 404 },
  { mode: 'unauthorized', code: 'unauthorized', stage: ['auth'], names: ['401', 'token'], httpStatus: 401 },
  { mode: 'unauthorizedDiscoverable', code: 'unauthorized', stage: ['auth'], names: ['/as'], httpStatus: 401 },
  { mode: 'forbidden', code: 'forbidden', stage: ['auth'], names: ['403'], httpStatus: 403 },
  { mode: 'insufficientScope', code: 'forbidden', stage: ['auth'], names: ['files:read'], httpStatus: 403 },
  { mode: 'notAcceptable', code: 'not_acceptable', stage: ['http'], names: ['406'], httpStatus: 406 },
  { mode: 'tooManyRequests', code: 'too_many_requests', stage: ['http'], names: ['429', '37'], httpStatus: 429 },
  { mode: 'html500', code: 'server_error', stage: ['http'], names: ['500'], httpStatus: 500 },
  { mode: 'badGateway', code: 'server_error', stage: ['http'], names: ['502'], httpStatus: 502 },
  { mode: 'unavailable', code: 'server_error', stage: ['http'], names: ['503'], httpStatus: 503 },
  { mode: 'proxyAuthentication', code: 'proxy_in_the_way', stage: ['http', 'connect'], names: ['proxy'], httpStatus: 407 },
];

/** A bench for the tests of a file, and servers that are closed after the test that started them. */
export function standBench() {
  const bench = openTestBench();
  let open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    await Promise.all(open.map((server) => server.close()));
    open = [];
  });
  afterAll(() => bench.close());
  const kept = <Server extends { close(): Promise<unknown> }>(server: Server): Server => {
    open.push(server);
    return server;
  };
  return { bench, kept };
}

export function expectFailure(result: ConnectionTestResult, code: ConnectFailureCode, stages: readonly Stage[], names: readonly string[]): void {
  expect(result.failure).toMatchObject({ code });
  expect(stages).toContain(result.failure?.stage);
  const said = `${result.failure?.message} ${result.failure?.remediation}`;
  for (const name of names) expect(said).toContain(name);
  expect(result.failure?.remediation).not.toBe('');
  expect(result.stages.at(-1)).toMatchObject({ stage: result.failure?.stage, outcome: 'failed' });
  // Bounded: a page of 2 MB is no evidence.
  expect(JSON.stringify(result).length).toBeLessThan(65_536);
}

/** A port of this machine at which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((closed) => server.close(closed));
  return port;
}

interface Listening {
  listen(port: number, host: string, listening: () => void): unknown;
  address(): ReturnType<ReturnType<typeof createServer>['address']>;
}

async function listen(server: Listening): Promise<number> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

interface ProxyWishes {
  /** The status that it refuses tunnels with. */
  readonly refuses?: string;
  /** It takes the question for a tunnel and never answers. */
  readonly isDeaf?: boolean;
  /** Its own answer to a request, instead of passing it on; null leaves the request unanswered. */
  readonly answers?: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string } | null;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A proxy that passes requests and tunnels on, unless it is told otherwise; what it was asked for is kept. */
export async function startProxy({ refuses, isDeaf = false, answers, tls }: ProxyWishes = {}) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const passOn = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.method} ${request.url}`);
    if (answers !== undefined) {
      request.resume();
      if (answers !== null) response.writeHead(answers.status, answers.headers).end(answers.body);
      return;
    }
    request.pipe(
      forward(new URL(request.url ?? ''), { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  };
  const server = tls === undefined ? createHttpServer(passOn) : createTlsServer(tls, passOn);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request, socket) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    socket.on('error', () => undefined);
    if (isDeaf) return;
    if (refuses !== undefined) {
      socket.end(`HTTP/1.1 ${refuses}\r\n\r\n`);
      return;
    }
    const [host, port] = (request.url ?? '').split(':');
    const onward = dialSocket(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
  });
  const port = await listen(server);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise<void>((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}
