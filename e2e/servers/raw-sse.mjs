#!/usr/bin/env node
// node raw-sse.mjs <mode> [port]: a loopback server of the older HTTP+SSE transport, of hand-made bytes; prints
// {"url": …} when it listens. In tests: startRawSse({ mode }), ({ offer }), ({ hooks }) or ({ post }). The modes are listed in README.md.
import { constants, createGzip } from 'node:zlib';
import { HTTP_MODES } from './raw/http-modes.mjs';
import { bodyOf, listenOnLoopback, runFromCommandLine } from './raw/loopback.mjs';
import { OFFERS } from './raw/offers.mjs';
import { answerTo, ECHO_OFFER } from './raw/protocol.mjs';
import { SSE_MODES } from './raw/sse-modes.mjs';

/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {import('./raw/protocol.mjs').Message} Message */
/** @typedef {import('./raw/protocol.mjs').Offer} Offer */
/**
 * @typedef {object} SseStream one open stream
 * @property {string} path that is posted to, with its query
 * @property {string} origin of this server
 * @property {(bytes: string | Uint8Array) => void} write
 * @property {(bytes?: string) => void} end
 */
/**
 * @typedef {object} SseHooks what a mode spoils; the rest is a correct server
 * @property {(stream: SseStream) => void} [onOpen] instead of naming the endpoint
 * @property {(json: string) => readonly (string | Uint8Array)[]} [toParts] what goes on the stream for an answer
 * @property {number} [pauseMs] between two parts
 * @property {readonly [number, string] | null} [accepts] how a posted message is acknowledged; null never
 * @property {(response: Response, message: Message, stream: SseStream | undefined, path: string) => boolean} [onPost] takes a posted message over
 * @property {string} [sessionId] of the first stream, in the endpoint's query
 * @property {Record<string, string>} [headers] of the stream; with `content-encoding: gzip` it is compressed
 * @property {(message: Message, stream: SseStream) => string} [after] written after an answer
 */
/** @typedef {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: string }} SseRequest */

/** @param {string} mode @returns {{ hooks: SseHooks, http: import('./raw-http.mjs').Hook | undefined, offer: Offer | undefined }} */
function ofMode(mode) {
  const [hooks, http, offer] = [SSE_MODES[mode]?.(), HTTP_MODES[mode]?.(), OFFERS[mode]?.()];
  if (hooks === undefined && http === undefined && offer === undefined) throw new Error(`raw-sse has no mode '${mode}'`);
  return { hooks: hooks ?? {}, http: hooks === undefined && offer === undefined ? http : undefined, offer };
}

/**
 * Starts the server on a free port of 127.0.0.1. A mode of raw-http refuses every request.
 * @param {object} [options]
 * @param {SseHooks} [options.hooks]
 * @param {string} [options.mode]
 * @param {Offer} [options.offer]
 * @param {number | 'reset' | 'silent' | 'endpoint'} [options.post] what a POST to the stream's own address gets, as a client of
 *   Streamable HTTP tries it first: a status, a cut connection, no answer, or (as some do) the stream itself
 * @param {number} [options.get] a status that every GET is refused with
 * @param {number} [options.port]
 * @param {object} [options.tls]
 */
export async function startRawSse({ hooks, mode, offer, post = 405, get, port = 0, tls } = {}) {
  const chosen = mode === undefined ? undefined : ofMode(mode);
  const spoiled = hooks ?? chosen?.hooks ?? {};
  const served = offer ?? chosen?.offer ?? ECHO_OFFER;
  /** @type {SseRequest[]} */
  const requests = [];
  /** @type {Map<string, SseStream>} */
  const streams = new Map();
  let origin = '';
  let opened = 0;

  /** @param {string} path @param {Response} response */
  function openStream(path, response) {
    opened += 1;
    const id = opened === 1 && spoiled.sessionId !== undefined ? spoiled.sessionId : String(opened);
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...spoiled.headers };
    const gzip = headers['content-encoding'] === 'gzip' ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : null;
    gzip?.pipe(response);
    const out = gzip ?? response;
    /** @type {SseStream} */
    const stream = {
      path: `/messages?sid=${id}`,
      origin,
      write: (bytes) => void (response.destroyed || out.write(bytes)),
      end: (bytes) => void out.end(bytes),
    };
    if (mode === 'endpointQuery') stream.path = `${path}?sid=${id}`;
    streams.set(id, stream);
    response.on('close', () => streams.delete(id));
    response.writeHead(200, headers);
    response.flushHeaders();
    if (spoiled.onOpen) spoiled.onOpen(stream);
    else stream.write(`event: endpoint\ndata: ${stream.path}\n\n`);
  }

  /** @param {SseStream} stream @param {Message} answer */
  async function writeAnswer(stream, answer) {
    const parts = spoiled.toParts?.(JSON.stringify(answer)) ?? [`event: message\ndata: ${JSON.stringify(answer)}\n\n`];
    for (const part of parts) {
      stream.write(part);
      if (spoiled.pauseMs) await new Promise((done) => setTimeout(done, spoiled.pauseMs));
    }
  }

  /** @type {Map<unknown, AbortController>} */
  const inFlight = new Map();

  /** @param {SseRequest} request @param {Response} response */
  async function takePost(request, response) {
    const stream = streams.get(new URL(request.path, origin).searchParams.get('sid') ?? '');
    /** @type {Message} */
    const message = JSON.parse(request.body);
    if (spoiled.onPost?.(response, message, stream, request.path) === true) return;
    if (stream === undefined) return void response.writeHead(404).end('Could not find session');
    const { accepts = [202, 'Accepted'] } = spoiled;
    if (accepts !== null) response.writeHead(accepts[0]).end(accepts[1]);
    if (message.method === 'notifications/cancelled') inFlight.get(message.params?.requestId)?.abort();
    const controller = new AbortController();
    inFlight.set(message.id, controller);
    const answer = await answerTo(message, served, {
      id: message.id,
      progressToken: message.params?._meta?.progressToken,
      notify: (method, params) => stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`),
      cancelled: controller.signal,
    });
    if (answer === null) return;
    await writeAnswer(stream, answer);
    const more = spoiled.after?.(message, stream);
    if (more) stream.write(more);
  }

  /** @param {import('node:http').IncomingMessage} incoming @param {Response} response */
  async function respond(incoming, response) {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body: await bodyOf(incoming) };
    requests.push(request);
    const context = { request: { ...request, message: null, at: Date.now() }, response, origin, sessions: new Set(), answer: () => Promise.resolve(null), requests: [] };
    if ((await chosen?.http?.(context)) === true) return;
    if (request.method === 'GET') {
      if (get !== undefined) response.writeHead(get).end('no stream here');
      else if (request.path.startsWith('/.well-known/')) response.writeHead(404).end();
      else openStream(request.path.split('?')[0] ?? '', response);
    } else if (request.path.includes('sid=')) await takePost(request, response);
    else if (post === 'reset') response.destroy();
    else if (post === 'endpoint') openStream('/messages', response);
    else if (post !== 'silent') response.writeHead(post, { 'content-type': 'text/plain' }).end('no such method here');
  }

  const listening = await listenOnLoopback(respond, { port, tls });
  origin = listening.origin;
  return {
    url: `${origin}/sse`,
    origin,
    port: listening.port,
    requests,
    streams,
    close: listening.close,
  };
}

await runFromCommandLine(import.meta.url, startRawSse);
