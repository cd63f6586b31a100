// Modes of raw-ws: each makes hooks that take over the handshake, the opened connection, or messages.
import { BINARY, CONTINUATION, fragmentsOf, frameOf, PING, TEXT } from './ws-frames.mjs';

/** @typedef {import('../raw-ws.mjs').WsHooks} WsHooks */
/** @typedef {import('../raw-ws.mjs').WsPeer} WsPeer */
/** @typedef {import('./protocol.mjs').Message} Message */

/** Answers one method in another way; `json` is the correct answer. @param {string} method @param {(peer: WsPeer, json: string, message: Message) => void} take @returns {WsHooks} */
const on = (method, take) => ({
  onMessage: async (peer, message, answer) => {
    if (message.method !== method) return false;
    take(peer, JSON.stringify(await answer()), message);
    return true;
  },
});

/** Writes every answer in a form of its own. @param {(peer: WsPeer, json: string) => void} write @returns {WsHooks} */
const writing = (write) => ({
  onMessage: async (peer, _message, answer) => {
    const message = await answer();
    if (message !== null) write(peer, JSON.stringify(message));
    return true;
  },
});

/** Closes so when a method is called. @param {string} method @param {number} code @param {string} [reason] */
export const closesOn = (method, code, reason = '') => on(method, (peer) => peer.close(code, reason));

/** @param {string} line @param {string[]} headers @returns {WsHooks} */
const answersUpgrade = (line, headers = []) => ({
  onUpgrade: ({ socket }) => {
    socket.end([line, ...headers, '', ''].join('\r\n'));
    return true;
  },
});

/** @type {Record<string, () => WsHooks>} */
export const WS_MODES = {
  noSubprotocol: () => ({ subprotocol: null }),
  otherSubprotocol: () => ({ subprotocol: 'graphql-ws' }),
  wrongAccept: () => ({ accept: 'bm90IHRoZSBkaWdlc3Qgb2Yga2V5' }),
  /** Takes the connection and never answers the handshake. */
  handshakeNever: () => ({ onUpgrade: () => true }),
  /** Begins to answer the handshake and stops in the middle of a header. */
  handshakeHalf: () => ({
    onUpgrade: ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: webso');
      return true;
    },
  }),
  garbageHandshake: () => ({
    onUpgrade: ({ socket }) => {
      socket.end('SSH-2.0-OpenSSH_9.6\r\n');
      return true;
    },
  }),
  cutsHandshake: () => ({
    onUpgrade: ({ socket }) => {
      socket.destroy();
      return true;
    },
  }),
  upgradeRequired: () => answersUpgrade('HTTP/1.1 426 Upgrade Required', ['Upgrade: h2c', 'Content-Length: 0']),
  /** Each byte of an answer by itself. */
  splitBytes: () => writing((peer, json) => peer.drip(frameOf(TEXT, json))),
  earlyHints: () => ({ before: 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n' }),

  /** Every answer in fragments of seven bytes, a ping after each. */
  fragmented: () => writing((peer, json) => fragmentsOf(json, 7).forEach((part) => peer.write(Buffer.concat([part, frameOf(PING, 'still here')])))),
  /** Answers of calls in fragments of 60,000 bytes. */
  fragmentedCalls: () => on('tools/call', (peer, json) => fragmentsOf(json, 60_000).forEach((part) => peer.write(part))),
  binaryAnswer: () => on('tools/call', (peer, json) => peer.write(frameOf(BINARY, json))),
  maskedAnswer: () => on('tools/call', (peer, json) => peer.write(frameOf(TEXT, json, { masked: true }))),
  reservedBits: () => on('tools/call', (peer, json) => peer.write(frameOf(TEXT, json, { reserved: 4 }))),
  strayContinuation: () => on('tools/call', (peer, json) => peer.write(frameOf(CONTINUATION, json))),
  /** A new message in the middle of a fragmented one. */
  interleaved: () => on('tools/call', (peer, json) => peer.write(Buffer.concat([frameOf(TEXT, '{', { fin: false }), frameOf(TEXT, json)]))),
  /** A frame that says that it is larger than any file. */
  giantFrame: () => on('tools/call', (peer) => peer.write(frameOf(TEXT, 'x', { declaredBytes: 1n << 62n }))),
  /** Half of the frame that answers a call. */
  halfFrame: () => on('tools/call', (peer, json) => peer.write(frameOf(TEXT, json).subarray(0, 20))),
  badUtf8InText: () => on('tools/call', (peer) => peer.write(frameOf(TEXT, Buffer.from([0x22, 0x41, 0xff, 0x42, 0x22])))),

  batches: () => writing((peer, json) => peer.sendText(`[${json}]`)),
  /** A word, a heartbeat and an empty message before each answer. */
  strayTexts: () => writing((peer, json) => ['hello there', '{"type":"heartbeat"}', '', json].forEach((text) => peer.sendText(text))),
  errorInsteadOfAnswer: () => on('tools/call', (peer) => peer.sendText('{"error":"Session not found"}')),
  cutOffAnswer: () => on('tools/call', (peer, json) => peer.sendText(json.slice(0, -9))),
  unusableAnswer: () => on('tools/call', (peer, _json, message) => peer.sendText(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":"all right"}`)),

  hangsOnList: () => on('tools/list', () => undefined),
  badVersion: () => on('initialize', (peer, json) => peer.sendText(json.replace(/"protocolVersion":"[^"]*"/, '"protocolVersion":"1999-01-01"'))),

  closesOnCall: () => closesOn('tools/call', 1011, 'the index is corrupt'),
  closesOnProbe: () => closesOn('server/discover', 1008, 'unknown method'),
  closesForSignIn: () => closesOn('initialize', 4401, 'token expired'),
  dropsOnCall: () => on('tools/call', (peer) => peer.socket.destroy()),
  /** Goes away on its own a moment after the list. */
  goesAway: () => on('tools/list', (peer, json) => {
    peer.sendText(json);
    setTimeout(() => peer.close(1001, 'shutting down'), 200);
  }),

  /** Pings ever again. */
  pings: () => ({
    onOpen: (peer) => {
      const timer = setInterval(() => (peer.socket.destroyed ? clearInterval(timer) : peer.write(frameOf(PING, 'are you there'))), 20);
    },
  }),
  noPong: () => ({ answersPings: false }),
  /** Opens, and answers nothing. */
  mute: () => ({ onMessage: () => true }),
  /** Never answers the closing handshake. */
  noClose: () => ({ answersClose: false }),
  /** Reads nothing more once the list was sent. */
  stopsReading: () => on('tools/list', (peer, json) => {
    peer.sendText(json);
    peer.socket.pause();
  }),
};
