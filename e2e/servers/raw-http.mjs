#!/usr/bin/env node
// node raw-http.mjs <mode> [port]: a loopback HTTP server of hand-made bytes; prints {"url": …} when it listens.
// In tests: startRawHttp({ mode }) or startRawHttp({ hook }). The modes are listed in README.md.
import { randomUUID } from 'node:crypto';
import { HTTP_MODES } from './raw/http-modes.mjs';
import { bodyOf, listenOnLoopback, runFromCommandLine } from './raw/loopback.mjs';
import { OFFERS } from './raw/offers.mjs';
import { answerTo, ECHO_OFFER } from './raw/protocol.mjs';

/** @typedef {import('./raw/protocol.mjs').Message} Message */
/** @typedef {import('./raw/protocol.mjs').Offer} Offer */
/**
 * @typedef {object} RecordedRequest
 * @property {string} method
 * @property {string} path with its query
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} body
 * @property {Message | null} message the body, where it is one JSON-RPC message
 * @property {number} at
 */
/**
 * @typedef {object} HookContext
 * @property {RecordedRequest} request
 * @property {import('node:http').ServerResponse} response
 * @property {string} origin of this server
 * @property {Set<string>} sessions the open ones
 * @property {() => Promise<Message | null>} answer what the correct server would answer
 * @property {readonly RecordedRequest[]} requests all so far, this one included
 */
/** @typedef {(context: HookContext) => boolean | void | Promise<boolean | void>} Hook takes a request over by returning true */
/**
 * @typedef {object} RawHttpOptions
 * @property {Hook} [hook]
 * @property {string} [mode] of http-modes.mjs, or the name of an offer
 * @property {Offer} [offer]
 * @property {number} [port]
 * @property {{ key: string, cert: string }} [tls] in PEM
 * @property {boolean} [answersInStream] answers in an event stream instead of JSON
 */

/** @param {string} body @returns {Message | null} */
function messageOf(body) {
  try {
    const value = JSON.parse(body);
    return value?.jsonrpc === '2.0' ? value : null;
  } catch {
    return null;
  }
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {unknown} [value] @param {Record<string, string>} [headers] */
function sendJson(response, status, value, headers = {}) {
  if (value === undefined) response.writeHead(status, headers).end();
  else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/**
 * The correct server: legacy era, with sessions, answering in JSON or in a stream.
 * @param {HookContext & { offer: Offer, inFlight: Map<string | number, AbortController>, inStream: boolean }} context
 */
async function serveRequest({ request, response, sessions, offer, inFlight, inStream }) {
  const sessionId = request.headers['mcp-session-id'];
  if (request.method === 'GET') return sendJson(response, 405, undefined, { allow: 'POST, DELETE' });
  if (request.method === 'DELETE') {
    sessions.delete(String(sessionId));
    return sendJson(response, 204);
  }
  const message = request.message;
  if (request.method !== 'POST' || message === null) return sendJson(response, 400, { error: 'not a JSON-RPC message' });
  const opens = message.method === 'initialize';
  const probes = message.method === 'server/discover';
  if (!opens && !probes && !sessions.has(String(sessionId))) {
    return sendJson(response, 404, { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } });
  }
  if (message.method === 'notifications/cancelled') inFlight.get(message.params?.requestId)?.abort();
  if (message.id === undefined || message.method === undefined) return sendJson(response, 202);

  const controller = new AbortController();
  inFlight.set(message.id, controller);
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  const headers = opens ? { 'mcp-session-id': randomUUID() } : {};
  if (opens) sessions.add(headers['mcp-session-id'] ?? '');
  let streaming = false;
  const write = (/** @type {unknown} */ event) => {
    // What a task tells after its call was answered would go over the push stream, which this server has not.
    if (response.writableEnded) return;
    if (!streaming) response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    streaming = true;
    response.write(`event: message\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const answer = await answerTo(message, offer, {
    id: message.id,
    progressToken: message.params?._meta?.progressToken,
    notify: (method, params) => write({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }),
    cancelled: controller.signal,
  });
  inFlight.delete(message.id);
  if (answer === null || response.destroyed) return undefined;
  if (!streaming && !inStream) return sendJson(response, 200, answer, headers);
  write(answer);
  response.end();
  return undefined;
}

/**
 * Starts the server on a free port of 127.0.0.1.
 * @param {RawHttpOptions} [options]
 * @returns {Promise<{ url: string, origin: string, port: number, requests: RecordedRequest[], sessions: Set<string>, countConnections: () => Promise<number>, close: () => Promise<void> }>}
 */
export async function startRawHttp({ hook, mode, offer, port = 0, tls, answersInStream = false } = {}) {
  const modeHook = mode === undefined ? undefined : HTTP_MODES[mode]?.();
  const served = offer ?? (mode === undefined ? undefined : OFFERS[mode]?.()) ?? ECHO_OFFER;
  if (mode !== undefined && modeHook === undefined && OFFERS[mode] === undefined) throw new Error(`raw-http has no mode '${mode}'`);
  const takeOver = hook ?? modeHook;
  /** @type {RecordedRequest[]} */
  const requests = [];
  /** @type {Set<string>} */
  const sessions = new Set();
  /** @type {Map<string | number, AbortController>} */
  const inFlight = new Map();
  let origin = '';

  /** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} response */
  async function respond(incoming, response) {
    const body = await bodyOf(incoming);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      message: messageOf(body),
      at: Date.now(),
    };
    requests.push(request);
    const answer = () =>
      request.message === null
        ? Promise.resolve(null)
        : answerTo(request.message, served, { id: request.message.id, progressToken: undefined, notify: () => undefined, cancelled: new AbortController().signal });
    const context = { request, response, origin, sessions, answer, requests };
    if ((await takeOver?.(context)) === true) return;
    await serveRequest({ ...context, offer: served, inFlight, inStream: answersInStream });
  }

  const listening = await listenOnLoopback(respond, { port, tls });
  origin = listening.origin;
  return {
    url: `${origin}/mcp`,
    origin,
    port: listening.port,
    requests,
    sessions,
    countConnections: () => new Promise((counted) => listening.server.getConnections((_, count) => counted(count))),
    close: listening.close,
  };
}

await runFromCommandLine(import.meta.url, startRawHttp);
