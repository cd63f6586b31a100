// What every hand-made server over HTTP begins and ends with: a listener on a port of 127.0.0.1, and the command line.
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { pathToFileURL } from 'node:url';

/** @typedef {import('node:http').IncomingMessage} Incoming */
/** @typedef {import('node:http').ServerResponse} Response */

/** @param {Incoming} incoming */
export async function bodyOf(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Listens, with TLS where it is given. A response that breaks is a 500; a client that went away in the middle is ordinary.
 * @param {(incoming: Incoming, response: Response) => Promise<void>} respond
 * @param {{ port?: number, tls?: object | undefined }} options
 */
export async function listenOnLoopback(respond, { port = 0, tls }) {
  const onRequest = (/** @type {Incoming} */ incoming, /** @type {Response} */ response) => {
    respond(incoming, response).catch((error) => {
      if (!response.headersSent && !response.destroyed) response.writeHead(500).end(String(error));
    });
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  await new Promise((listening) => server.listen(port, '127.0.0.1', () => listening(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    server,
    port: address.port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    /** @returns {Promise<void>} when nothing of it is open */
    close: () =>
      new Promise((closed) => {
        server.close(() => closed(undefined));
        server.closeAllConnections();
      }),
  };
}

/**
 * Runs a server in the mode and on the port of the command line, where its file is what was started.
 * @param {string} moduleUrl
 * @param {(options: { mode?: string, port: number }) => Promise<{ url: string, close: () => Promise<unknown> }>} start
 */
export async function runFromCommandLine(moduleUrl, start) {
  const [, program, mode, port] = process.argv;
  if (program === undefined || moduleUrl !== pathToFileURL(program).href) return;
  const server = await start({ ...(mode === undefined || mode === 'ok' ? {} : { mode }), port: Number(port ?? 0) });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void server.close().then(() => process.exit(0)));
}
