import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { readEnvironment, setServing } from '@/lib/env';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import type { CommonOptions } from '../session';
import type { Terminal } from '../terminal';

export interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: number;
}

/**
 * Starts the console in this process. The address is taken before anything else is opened, so that a port in use
 * starts no server; `instrumentation.ts` opens the runtime, prints where to go and drains it on a signal.
 */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<ExitCode> {
  const environment = readEnvironment();
  const host = options.host ?? environment.host;
  const server = createServer();
  const port = await listen(server, host, options.port ?? environment.port);
  setServing({ host, port, packageRoot: environment.packageRoot, configFile: options.config === undefined ? null : resolve(options.config) });

  // Next speaks to the console; stdout is for the answer of `--json` alone.
  globalThis.console.log = (...data: unknown[]) => terminal.note(data.map(String).join(' '));
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: environment.packageRoot, hostname: host, port });
  const respond = app.getRequestHandler();
  await app.prepare();
  server.on('request', (request, response) => void respond(request, response));
  if (options.json) terminal.document({ url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` });
  await new Promise((done) => server.on('close', done));
  return EXIT.ok;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(new UsageError(explainListen(error, host, port))));
    server.listen(port, host, () => done(boundPort(server.address(), port)));
  });
}

const boundPort = (address: string | AddressInfo | null, asked: number): number =>
  address !== null && typeof address === 'object' ? address.port : asked;

function explainListen(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} on ${host} is in use by another program. Stop it, or choose another: signalbox serve --port ${port + 1}`;
  if (error.code === 'EACCES') return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return `${host} is no address of this machine. Give one that is with --host, or leave it out for 127.0.0.1.`;
  return `The console could not listen on ${host}:${port}: ${error.message}`;
}
