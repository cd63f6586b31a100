// Modes of raw-sse: each spoils the stream, the endpoint it names, or what is posted to it.

/** @typedef {import('../raw-sse.mjs').SseHooks} SseHooks */

/** @param {string} data @returns {string} */
const endpoint = (data) => `event: endpoint\ndata: ${data}\n\n`;

/** Names the endpoint in another form. @param {(path: string, origin: string) => string} toData @returns {() => SseHooks} */
const names = (toData) => () => ({ onOpen: (stream) => stream.write(endpoint(toData(stream.path, stream.origin))) });

/** Writes each event in another form. @param {(json: string) => readonly (string | Uint8Array)[]} toParts @returns {() => SseHooks} */
const writes = (toParts, pauseMs = 0) => () => ({ toParts, pauseMs });

/** Answers what is posted in another way, for one method. @param {string} method @param {number} status @param {string | ((message: any) => string)} [body] @param {Record<string, string>} [headers] @returns {() => SseHooks} */
const posts = (method, status, body = '', headers = {}) => () => ({
  onPost: (response, message) => {
    if (message.method !== method) return false;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : body(message));
    return true;
  },
});

/** @type {Record<string, () => SseHooks>} */
export const SSE_MODES = {
  endpointRelative: names((path) => path.slice(1)),
  /** Only a query: the stream's own path is posted to. */
  endpointQuery: names((path) => path.slice(path.indexOf('?'))),
  endpointAbsolute: names((path, origin) => `${origin}${path}`),
  endpointCrlf: () => ({ onOpen: (stream) => stream.write(`event: endpoint\r\ndata: ${stream.path}\r\n\r\n`) }),
  /** A keep-alive and a foreign event come first, then one that is no address. */
  endpointAfterNoise: () => ({
    onOpen: (stream) => stream.write(`: keep-alive\n\nevent: ping\ndata: 1\n\n${endpoint('http://[not-an-address')}${endpoint(stream.path)}`),
  }),
  endpointSlow: () => ({ onOpen: (stream) => void setTimeout(() => stream.write(endpoint(stream.path)), 700) }),
  /** Opens the stream and names no endpoint. */
  endpointNever: () => ({ onOpen: (stream) => stream.write(': hello\n\n') }),
  endpointEnds: () => ({ onOpen: (stream) => stream.end(': sorry\n\n') }),
  /** A second endpoint, of another origin, after the first answer. */
  endpointTwice: () => ({ after: () => endpoint('http://other.example/messages') }),

  streamCrlf: writes((json) => [`event: message\r\ndata: ${json}\r\n\r\n`]),
  streamCr: writes((json) => [`event: message\rdata: ${json}\r\r`]),
  streamUnnamed: writes((json) => [`data: ${json}\n\n`]),
  streamManyLines: writes((json) => [`${JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, 'data: ')}\n\n`]),
  streamSplit: writes((json) => Array.from(Buffer.from(`data: ${json}\r\n\r\n`), (byte) => Buffer.from([byte])), 1),
  streamNoise: writes((json) => [': keep-alive\n\n', 'event: ping\ndata: soon\n\n', 'data:\n\n', 'data: {"type":"heartbeat"}\n\n', 'retry: 5\n\n', `data: ${json}\n\n`]),
  streamOddType: () => ({ headers: { 'content-type': 'Text/Event-Stream; Charset=UTF-8' } }),
  streamGzip: () => ({ headers: { 'content-encoding': 'gzip' } }),
  streamBatches: writes((json) => [`data: [${json}]\n\n`]),
  streamErrorObject: () => ({ toParts: (json) => [`data: ${json.includes('"content"') ? '{"error":"Session not found"}' : json}\n\n`] }),
  /** Leaves out the blank line after the answer to a call. */
  streamNoBlankLine: writes((json) => [`data: ${json}\n${json.includes('"content"') ? '' : '\n'}`]),
  streamEndsOnCall: () => ({
    onPost: (response, message, stream) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(202).end();
      stream?.end();
      return true;
    },
  }),
  /** Ends the stream a moment after the list, without a call. */
  streamEnds: () => ({ after: (message, stream) => {
    if (message.method === 'tools/list') setTimeout(() => stream.end(), 200);
    return '';
  } }),

  /** Takes the question for the tools and never answers it. */
  hangsOnList: posts('tools/list', 202),
  badVersion: writes((json) => [`data: ${json.replace(/"protocolVersion":"[^"]*"/, '"protocolVersion":"1999-01-01"')}\n\n`]),

  accepts200: () => ({ accepts: [200, '{"status":"ok"}'] }),
  accepts204: () => ({ accepts: [204, ''] }),
  /** Answers on the stream and never to what is posted. */
  postNever: () => ({
    onPost: (response, message) => {
      // Headers that never come; what was posted is answered on the stream all the same.
      response.on('close', () => undefined);
      return message.method === 'notifications/cancelled';
    },
    accepts: null,
  }),
  postUnauthorized: posts('initialize', 401, '{"error":"invalid_token"}', { 'www-authenticate': 'Bearer' }),
  postForbidden: posts('tools/call', 403, '{"error":"forbidden"}'),
  postNotFound: posts('tools/call', 404, 'Could not find session'),
  postTooMany: posts('tools/call', 429, 'slow down', { 'retry-after': '7' }),
  postBroken: posts('tools/call', 500, '<!doctype html><h1>Oops</h1>', { 'content-type': 'text/html' }),
  postRpcError: posts('tools/call', 500, (message) => JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32_050, message: 'the index is locked' } }), { 'content-type': 'application/json' }),
  postResets: () => ({
    onPost: (response, message) => {
      if (message.method !== 'tools/call') return false;
      response.destroy();
      return true;
    },
  }),
  postRedirects: () => ({
    onPost: (response, _message, stream, path) => {
      if (path.endsWith('&again')) return false;
      response.writeHead(307, { location: `${stream?.path}&again` }).end();
      return true;
    },
  }),
  /** Takes every message and answers none. */
  answersNothing: () => ({
    onPost: (response) => {
      response.writeHead(202).end();
      return true;
    },
  }),
};
