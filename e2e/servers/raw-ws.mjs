#!/usr/bin/env node
// node raw-ws.mjs <mode> [port]: a loopback WebSocket server of hand-made bytes; prints {"url": …} when it listens.
// In tests: startRawWs({ mode }), ({ offer }) or ({ hooks }). The modes are listed in README.md.
import { createServer, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { HTTP_MODES } from './raw/http-modes.mjs';
import { runFromCommandLine } from './raw/loopback.mjs';
import { OFFERS } from './raw/offers.mjs';
import { answerTo, ECHO_OFFER } from './raw/protocol.mjs';
import { acceptOf, CLOSE, closeFrameOf, FrameCutter, frameOf, PING, PONG, TEXT } from './raw/ws-frames.mjs';
import { WS_MODES } from './raw/ws-modes.mjs';

/** @typedef {import('./raw/protocol.mjs').Message} Message */
/** @typedef {import('./raw/protocol.mjs').Offer} Offer */
/**
 * @typedef {object} WsPeer one opened connection
 * @property {import('node:stream').Duplex} socket
 * @property {Message[]} messages that the client sent
 * @property {string[]} pongs payloads that came back
 * @property {{ code: number | null, reason: string } | null} closed what the client's close frame said
 * @property {(bytes: Uint8Array) => void} write
 * @property {(bytes: Uint8Array) => void} drip writes byte by byte
 * @property {(text: string) => void} sendText
 * @property {(code: number, reason?: string) => void} close
 */
/** @typedef {{ request: import('node:http').IncomingMessage, socket: import('node:stream').Duplex }} UpgradeContext */
/**
 * @typedef {object} WsHooks what a mode spoils; the rest is a correct server
 * @property {(context: UpgradeContext) => boolean} [onUpgrade] takes the handshake over by returning true
 * @property {string | null} [subprotocol] what is selected; null selects none
 * @property {string} [accept] instead of the digest of the client's key
 * @property {string} [before] bytes before the answer to the handshake
 * @property {(peer: WsPeer) => void} [onOpen]
 * @property {(peer: WsPeer, message: Message, answer: () => Promise<Message | null>) => boolean | Promise<boolean>} [onMessage] takes a message over
 * @property {boolean} [answersPings]
 * @property {boolean} [answersClose]
 */

/** @param {string} mode @returns {{ hooks: WsHooks, http: import('./raw-http.mjs').Hook | undefined, offer: Offer | undefined }} */
function ofMode(mode) {
  const [hooks, http, offer] = [WS_MODES[mode]?.(), HTTP_MODES[mode]?.(), OFFERS[mode]?.()];
  if (hooks === undefined && http === undefined && offer === undefined) throw new Error(`raw-ws has no mode '${mode}'`);
  return { hooks: hooks ?? {}, http: hooks === undefined ? http : undefined, offer };
}

/** @param {string} text @returns {Message | null} */
function messageOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Starts the server on a free port of 127.0.0.1. A mode of raw-http refuses the upgrade as it refuses a request.
 * @param {{ hooks?: WsHooks, mode?: string, offer?: Offer, port?: number, tls?: object }} [options]
 */
export async function startRawWs({ hooks, mode, offer, port = 0, tls } = {}) {
  const chosen = mode === undefined ? undefined : ofMode(mode);
  const { onUpgrade, onOpen, onMessage, subprotocol = 'mcp', accept, before = '', answersPings = true, answersClose = true } = hooks ?? chosen?.hooks ?? {};
  const served = offer ?? chosen?.offer ?? ECHO_OFFER;
  /** @type {WsPeer[]} */
  const peers = [];
  /** @type {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders }[]} */
  const requests = [];
  /** @type {Set<import('node:stream').Duplex>} */
  const sockets = new Set();
  let origin = '';

  /** @param {import('node:http').IncomingMessage} request @param {ServerResponse} response */
  async function answerHttp(request, response) {
    const recorded = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: '', message: null, at: Date.now() };
    const context = { request: recorded, response, origin, sessions: new Set(), answer: () => Promise.resolve(null), requests: [] };
    if ((await chosen?.http?.(context)) !== true) response.writeHead(426, { upgrade: 'websocket' }).end('Upgrade Required');
  }

  /** @param {import('node:stream').Duplex} socket @returns {WsPeer} */
  function open(socket) {
    /** @type {WsPeer} */
    const peer = {
      socket,
      messages: [],
      pongs: [],
      closed: null,
      write: (bytes) => void (socket.destroyed || socket.write(bytes)),
      drip: (bytes) => bytes.forEach((byte) => peer.write(Buffer.from([byte]))),
      sendText: (text) => peer.write(frameOf(TEXT, text)),
      close: (code, reason) => peer.write(closeFrameOf(code, reason)),
    };
    return peer;
  }

  /** @param {WsPeer} peer @param {Message} message @param {Map<unknown, AbortController>} inFlight */
  async function serve(peer, message, inFlight) {
    peer.messages.push(message);
    if (message.method === 'notifications/cancelled') inFlight.get(message.params?.requestId)?.abort();
    const controller = new AbortController();
    inFlight.set(message.id, controller);
    const answer = () =>
      answerTo(message, served, {
        id: message.id,
        progressToken: message.params?._meta?.progressToken,
        notify: (method, params) => peer.sendText(JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) })),
        cancelled: controller.signal,
      });
    if ((await onMessage?.(peer, message, answer)) === true) return;
    const answered = await answer();
    inFlight.delete(message.id);
    if (answered !== null) peer.sendText(JSON.stringify(answered));
  }

  /** @param {WsPeer} peer @param {import('./raw/ws-frames.mjs').ReceivedFrame} frame @param {Map<unknown, AbortController>} inFlight */
  function receive(peer, { opcode, payload }, inFlight) {
    if (opcode === PING && answersPings) peer.write(frameOf(PONG, payload));
    if (opcode === PONG) peer.pongs.push(payload.toString());
    if (opcode === TEXT) {
      const message = messageOf(payload.toString());
      if (message !== null) void serve(peer, message, inFlight);
    }
    if (opcode !== CLOSE) return;
    peer.closed = { code: payload.length < 2 ? null : payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
    if (answersClose) peer.socket.end(frameOf(CLOSE, payload));
  }

  const onRequest = (/** @type {any} */ request, /** @type {any} */ response) => {
    requests.push({ method: request.method, path: request.url, headers: request.headers });
    void answerHttp(request, response);
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    // Sockets of this server may be half open, and one that nothing reads does not tell its end.
    socket.on('end', () => socket.end());
    requests.push({ method: 'UPGRADE', path: request.url ?? '', headers: request.headers });
    if (onUpgrade?.({ request, socket }) === true) {
      socket.resume();
      return;
    }
    if (chosen?.http !== undefined) {
      const response = new ServerResponse(request);
      response.assignSocket(/** @type {import('node:net').Socket} */ (socket));
      response.on('finish', () => socket.end());
      socket.resume();
      void answerHttp(request, response);
      return;
    }
    const selected = subprotocol === null ? '' : `Sec-WebSocket-Protocol: ${subprotocol}\r\n`;
    const digest = accept ?? acceptOf(request.headers['sec-websocket-key'] ?? '');
    socket.write(`${before}HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${digest}\r\n${selected}\r\n`);
    const peer = open(socket);
    peers.push(peer);
    const cutter = new FrameCutter();
    const inFlight = new Map();
    socket.on('data', (chunk) => cutter.push(chunk).forEach((frame) => receive(peer, frame, inFlight)));
    onOpen?.(peer);
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', () => listening(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`;
  return {
    url: `${tls === undefined ? 'ws' : 'wss'}://127.0.0.1:${address.port}/mcp`,
    origin,
    port: address.port,
    peers,
    requests,
    /** How many connections are open now. */
    openSockets: () => [...sockets].filter((socket) => !socket.destroyed).length,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed(undefined));
        for (const socket of sockets) socket.destroy();
      }),
  };
}

await runFromCommandLine(import.meta.url, startRawWs);
