#!/usr/bin/env node
// node legacy-sse.mjs [port]: the v1 SDK over the older HTTP+SSE transport; prints {"url": …}.
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { listenRecorded, runAsProgram } from './sdk/listen.mjs';
import { createLegacyServer } from './sdk/legacy-server.mjs';

/** @param {{ port?: number }} [options] */
export async function startLegacySse({ port = 0 } = {}) {
  /** @type {string[]} */
  const events = [];
  /** @type {Map<string, SSEServerTransport>} */
  const sessions = new Map();

  const server = await listenRecorded(
    async (incoming, response, body) => {
      const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
      if (incoming.method === 'GET') {
        const transport = new SSEServerTransport('/messages', response);
        sessions.set(transport.sessionId, transport);
        response.on('close', () => sessions.delete(transport.sessionId));
        await createLegacyServer((what) => events.push(what)).connect(transport);
        return;
      }
      const transport = sessions.get(url.searchParams.get('sessionId') ?? '');
      if (url.pathname !== '/messages' || transport === undefined) {
        response.writeHead(url.pathname === '/messages' ? 404 : 405).end();
        return;
      }
      await transport.handlePostMessage(incoming, response, body);
    },
    { port, onClose: async () => void (await Promise.all([...sessions.values()].map((transport) => transport.close()))) },
  );
  return { ...server, events, sessions };
}

await runAsProgram(import.meta.url, (port) => startLegacySse({ port }));
