#!/usr/bin/env node
// node modern-http.mjs [port]: the v2 SDK over Streamable HTTP, modern era (2026-07-28) alone; prints {"url": …}.
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { listenRecorded, runAsProgram } from './sdk/listen.mjs';
import { createModernServer } from './sdk/modern-server.mjs';

/** @param {{ port?: number, legacy?: 'stateless' | 'reject' }} [options] */
export async function startModernHttp({ port = 0, legacy = 'reject' } = {}) {
  /** @type {string[]} */
  const events = [];
  const handler = createMcpHandler(() => createModernServer((what) => events.push(what)), { legacy });
  const respond = toNodeHandler(handler);
  const server = await listenRecorded((incoming, response, body) => respond(incoming, response, body), { port, onClose: () => handler.close() });
  return { ...server, events, notify: handler.notify };
}

await runAsProgram(import.meta.url, (port) => startModernHttp({ port }));
