import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

/** @typedef {{ method: string, headers: import('node:http').IncomingHttpHeaders, body: string }} SdkRequest */

/**
 * Listens on 127.0.0.1 and keeps every request, its body included, as it came.
 * @param {(incoming: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, body: unknown) => unknown} respond
 * @param {{ port?: number, onClose?: () => Promise<void> }} [options]
 */
export async function listenRecorded(respond, { port = 0, onClose } = {}) {
  /** @type {SdkRequest[]} */
  const requests = [];
  const server = createServer(async (incoming, response) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    requests.push({ method: incoming.method ?? '', headers: incoming.headers, body });
    try {
      await respond(incoming, response, body === '' ? undefined : JSON.parse(body));
    } catch (error) {
      if (!response.headersSent) response.writeHead(500).end(String(error));
    }
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', () => listening(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    port: address.port,
    requests,
    close: async () => {
      await onClose?.();
      await new Promise((closed) => {
        server.close(() => closed(undefined));
        server.closeAllConnections();
      });
    },
  };
}

/**
 * Runs a server when its file is the program: prints {"url": …} and ends on a signal.
 * @param {string} moduleUrl @param {(port: number) => Promise<{ url: string, close: () => Promise<void> }>} start
 */
export async function runAsProgram(moduleUrl, start) {
  if (process.argv[1] === undefined || moduleUrl !== pathToFileURL(process.argv[1]).href) return;
  const server = await start(Number(process.argv[2] ?? 0));
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void server.close().then(() => process.exit(0)));
}
