#!/usr/bin/env node
// node legacy-websocket.mjs [port]: the v1 SDK over WebSocket, with `ws`; prints {"url": …}.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { createLegacyServer } from './sdk/legacy-server.mjs';
import { runAsProgram } from './sdk/listen.mjs';

/** @typedef {import('@modelcontextprotocol/sdk/shared/transport.js').Transport} Transport */

/** The SDK has no server side for WebSocket: a message is a text frame, in either direction. @param {import('ws').WebSocket} socket @returns {Transport} */
function toTransport(socket) {
  /** @type {Transport} */
  const transport = {
    start: () => Promise.resolve(),
    send: (message) => new Promise((sent, failed) => socket.send(JSON.stringify(message), (error) => (error ? failed(error) : sent()))),
    close: () => Promise.resolve(socket.close()),
  };
  socket.on('message', (data) => transport.onmessage?.(JSON.parse(String(data))));
  socket.on('close', () => transport.onclose?.());
  socket.on('error', (error) => transport.onerror?.(error));
  return transport;
}

/** @param {{ port?: number }} [options] */
export async function startLegacyWebSocket({ port = 0 } = {}) {
  /** @type {string[]} */
  const events = [];
  const http = createServer();
  const server = new WebSocketServer({ server: http, handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false) });
  server.on('connection', (socket) => void createLegacyServer((what) => events.push(what)).connect(toTransport(socket)));
  await new Promise((listening) => http.listen(port, '127.0.0.1', () => listening(undefined)));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `ws://127.0.0.1:${address.port}/mcp`,
    events,
    clients: server.clients,
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((closed) => http.close(() => closed(undefined)));
    },
  };
}

await runAsProgram(import.meta.url, (port) => startLegacyWebSocket({ port }));
