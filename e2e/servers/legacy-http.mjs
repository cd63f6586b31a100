#!/usr/bin/env node
// node legacy-http.mjs [port]: the v1 SDK over Streamable HTTP with sessions; prints {"url": …}.
import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listenRecorded, runAsProgram } from './sdk/listen.mjs';
import { createLegacyServer } from './sdk/legacy-server.mjs';

/** @param {{ port?: number }} [options] */
export async function startLegacyHttp({ port = 0 } = {}) {
  /** @type {string[]} */
  const events = [];
  /** @type {Map<string, StreamableHTTPServerTransport>} */
  const sessions = new Map();

  const openSession = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createLegacyServer((what) => events.push(what)).connect(transport);
    return transport;
  };

  const server = await listenRecorded(
    async (incoming, response, body) => {
      const id = incoming.headers['mcp-session-id'];
      const transport = typeof id === 'string' ? sessions.get(id) : await openSession();
      if (transport === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }));
        return;
      }
      await transport.handleRequest(incoming, response, body);
    },
    { port, onClose: async () => void (await Promise.all([...sessions.values()].map((transport) => transport.close()))) },
  );
  return { ...server, events, sessions };
}

await runAsProgram(import.meta.url, (port) => startLegacyHttp({ port }));
