// Modes of raw-http: each makes a hook that takes over the requests it spoils.
import { gzipSync } from 'node:zlib';
import { ENCODING_MODES } from './http-encodings.mjs';
import { modern, MODERN_MODES } from './http-modern.mjs';
import { STREAM_MODES } from './http-streams.mjs';
import { VERSION_MODES } from './http-versions.mjs';

/** @typedef {import('../raw-http.mjs').Hook} Hook */
/** @typedef {import('../raw-http.mjs').HookContext} HookContext */

const HTML = '<!doctype html><html><head><title>Welcome</title></head><body><h1>Welcome</h1><script>alert(1)</script></body></html>';

/** The same for every request. @param {number} status @param {string} body @param {Record<string, string>} [headers] @returns {() => Hook} */
const always = (status, body, headers = {}) => () => ({ response }) => {
  response.writeHead(status, headers).end(body);
  return true;
};

/** A GET is refused so, the rest is served. @param {number} status @returns {() => Hook} */
const refusesGet = (status) => () => ({ request, response }) => {
  if (request.method !== 'GET') return false;
  response.writeHead(status).end();
  return true;
};

/** Takes over the requests of one method. @param {string} method @param {(context: HookContext) => void | Promise<void>} take @returns {Hook} */
const on = (method, take) => async (context) => {
  if (context.request.message?.method !== method) return false;
  await take(context);
  return true;
};

/**
 * Writes each answer to a request in an event stream of its own form; the rest is served.
 * @param {(json: string) => readonly (string | Uint8Array)[]} toParts what goes on the wire, part by part
 * @returns {() => Hook}
 */
const streaming = (toParts, pauseMs = 0) => () => async ({ request, response, sessions, answer }) => {
  if (request.message?.id === undefined) return false;
  const message = await answer();
  if (request.message.method === 'initialize') {
    sessions.add('streaming');
    response.setHeader('mcp-session-id', 'streaming');
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of toParts(JSON.stringify(message))) {
    response.write(part);
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
  }
  response.end();
  return true;
};

/** Loses every open session once, when a tool is called. @param {number} status @param {string} body @returns {() => Hook} */
const losesSession = (status, body) => () => {
  let lost = false;
  return ({ request, response, sessions }) => {
    if (lost || request.message?.method !== 'tools/call') return false;
    lost = true;
    sessions.clear();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    return true;
  };
};

/** Answers the `initialized` notification in another way. @param {number} status @param {string} [body] @param {Record<string, string>} [headers] @returns {() => Hook} */
const acknowledges = (status, body = '', headers = {}) => () =>
  on('notifications/initialized', ({ response }) => {
    response.writeHead(status, headers).end(body);
  });

/** An older server that answers the probe of the modern era in a way of its own. @param {(context: HookContext) => void} take @returns {() => Hook} */
const spoilsProbe = (take) => () => on('server/discover', take);
/** The same, with one answer. @param {number} status @param {string} [body] @param {Record<string, string>} [headers] @returns {() => Hook} */
const answersProbe = (status, body = '', headers = {}) => spoilsProbe(({ response }) => void response.writeHead(status, headers).end(body));

/** Sends the answer of the correct server under another media type. @param {Record<string, string>} headers @returns {() => Hook} */
const labels = (headers) => () =>
  on('tools/list', async ({ response, answer }) => {
    const body = Buffer.from(JSON.stringify(await answer()));
    response.writeHead(200, headers).end(headers['content-encoding'] === 'gzip' ? gzipSync(body) : body);
  });

/** From /mcp to /mcp/ of the same server. @param {number} status @returns {() => Hook} */
const redirecting = (status) => () => ({ request, response }) => {
  if (request.path !== '/mcp') return false;
  response.writeHead(status, { location: '/mcp/' }).end();
  return true;
};

/** The transport of 2024-11-05: a stream opened by GET names the address to post to. @returns {Hook} */
function legacySse() {
  /** @type {import('node:http').ServerResponse | null} */
  let stream = null;
  return async ({ request, response, sessions, answer }) => {
    if (request.path.startsWith('/messages')) {
      sessions.add('sse');
      const message = await answer();
      response.writeHead(202).end('Accepted');
      if (message !== null) stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      return true;
    }
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end('Method Not Allowed');
      return true;
    }
    stream = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: /messages?sessionId=1\n\n');
    return true;
  };
}

/** A 401 whose challenge leads to metadata that names an authorization server. @returns {Hook} */
function unauthorizedDiscoverable() {
  return ({ request, response, origin }) => {
    if (request.path.startsWith('/.well-known/oauth-protected-resource')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/as`] }));
      return true;
    }
    if (request.path.startsWith('/.well-known/')) {
      response.writeHead(404).end();
      return true;
    }
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { 'www-authenticate': `Bearer error="invalid_token", resource_metadata="${metadata}"` });
    response.end('{"error":"invalid_token"}');
    return true;
  };
}

/** @type {Record<string, () => Hook>} */
export const HTTP_MODES = {
  ...STREAM_MODES,
  ...ENCODING_MODES,
  ...MODERN_MODES,
  ...VERSION_MODES,

  html404: always(404, HTML, { 'content-type': 'text/html' }),
  plain404: always(404, 'Not Found', { 'content-type': 'text/plain' }),
  html200: always(200, HTML, { 'content-type': 'text/html; charset=utf-8' }),
  plain200: always(200, 'OK', { 'content-type': 'text/plain' }),
  /** A JSON answer that has nothing to do with the protocol. */
  json200: always(200, '{"status":"up"}', { 'content-type': 'application/json' }),
  empty200: always(200, ''),

  unauthorized: always(401, '{"error":"unauthorized"}', { 'content-type': 'application/json' }),
  unauthorizedBasic: always(401, 'who are you', { 'www-authenticate': 'Basic realm="staff"' }),
  unauthorizedDiscoverable,
  forbidden: always(403, '{"error":"forbidden"}', { 'content-type': 'application/json' }),
  htmlForbidden: always(403, HTML, { 'content-type': 'text/html' }),
  insufficientScope: always(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:read"' }),
  notAcceptable: always(406, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Not Acceptable"}}', { 'content-type': 'application/json' }),
  tooManyRequests: always(429, 'slow down', { 'retry-after': '37' }),
  tooManyRequestsBare: always(429, 'slow down'),
  html500: always(500, HTML, { 'content-type': 'text/html' }),
  /** A gateway's page of 2 MB. */
  badGateway: always(502, `${HTML}<!-- ${'padding '.repeat(262_144)} -->`, { 'content-type': 'text/html', server: 'nginx' }),
  unavailable: always(503, 'starting up', { 'retry-after': '5' }),
  proxyAuthentication: always(407, 'Proxy Authentication Required', { 'proxy-authenticate': 'Basic realm="corp"' }),

  /** A JSON-RPC error in the body of a 500, on calls only. */
  rpcIn500: () =>
    on('tools/call', ({ request, response }) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message?.id, error: { code: -32_603, message: 'the index is locked' } }));
    }),

  legacySse,

  /** Answers `initialize`, never `tools/list`. */
  hangsOnList: () => on('tools/list', () => undefined),

  /** Takes every request and answers none. */
  silent: () => () => true,

  /** Cuts the connection when a request comes. */
  resets: () => ({ response }) => {
    response.destroy();
    return true;
  },

  /** Cuts the connection when a tool is called, once. */
  resetsOnCall: () => {
    let cut = false;
    return on('tools/call', async ({ response, answer }) => {
      if (!cut) {
        cut = true;
        response.destroy();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await answer()));
    });
  },

  /** Answers everything after 1.5 s. */
  slowAnswer: () => async () => {
    await new Promise((done) => setTimeout(done, 1500));
    return false;
  },

  refusesGet400: refusesGet(400),
  refusesGet401: refusesGet(401),
  refusesGet404: refusesGet(404),
  refusesGet406: refusesGet(406),
  refusesGet500: refusesGet(500),
  refusesGet501: refusesGet(501),

  sseLf: streaming((json) => [`event: message\ndata: ${json}\n\n`]),
  sseCrlf: streaming((json) => [`event: message\r\ndata: ${json}\r\n\r\n`]),
  sseCr: streaming((json) => [`event: message\rdata: ${json}\r\r`]),
  sseBom: streaming((json) => [`\uFEFFdata: ${json}\n\n`]),
  sseComments: streaming((json) => [': keep-alive\n\n', 'event: ping\ndata: soon\n\n', 'data:\n\n', 'data: {"type":"heartbeat"}\n\n', `data: ${json}\n\n`]),
  sseManyLines: streaming((json) => [`${JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, 'data: ')}\n\n`]),
  sseForeign: streaming((json) => ['data: {"jsonrpc":"2.0","id":987654,"result":{}}\n\n', `data: ${json}\n\n`]),
  /** One byte a millisecond, cutting characters and line ends. */
  sseSplit: streaming((json) => Array.from(Buffer.from(`data: ${json}\r\n\r\n`), (byte) => Buffer.from([byte])), 1),
  /** The blank line never comes, the stream ends. */
  sseNoBlankLine: streaming((json) => [`data: ${json}\n`]),
  /** A stream that ends without the answer. */
  sseEndsEarly: () =>
    on('tools/call', ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(': nothing to see\n\n');
    }),
  /** An error that is no message, in a 200 stream. */
  sseErrorInside200: () =>
    on('tools/list', ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"error":"Session not found"}\n\n');
    }),

  /** Forgets each session at its first call, the new one too. */
  losesAlways: () => ({ request, response, sessions }) => {
    if (request.message?.method !== 'tools/call') return false;
    sessions.clear();
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"gone"}');
    return true;
  },
  /** Answers DELETE with an error. */
  refusesDelete: () => ({ request, response }) => {
    if (request.method !== 'DELETE') return false;
    response.writeHead(405).end();
    return true;
  },
  /** Never answers DELETE. */
  ignoresDelete: () => ({ request }) => request.method === 'DELETE',
  /** Wants a sign-in for calls alone. */
  unauthorizedCall: () =>
    on('tools/call', ({ response }) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
    }),
  forbiddenCall: () =>
    on('tools/call', ({ response }) => {
      response.writeHead(403, { 'www-authenticate': 'Basic realm="scope=\\"no\\"", Bearer error="insufficient_scope", scope="files:write files:read"' }).end();
    }),
  /** A gateway's page for the first call, then well. */
  badGatewayOnce: () => {
    let failed = false;
    return ({ request, response }) => {
      if (failed || request.message?.method !== 'tools/call') return false;
      failed = true;
      response.writeHead(502, { 'content-type': 'text/html', server: 'nginx' }).end(`${HTML}<!-- ${'padding '.repeat(262_144)} -->`);
      return true;
    };
  },
  /** A page in the place of an answer to a call. */
  htmlOnCall: () => on('tools/call', ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end(HTML)),
  emptyOnCall: () => on('tools/call', ({ response }) => response.writeHead(200, { 'content-type': 'application/json' }).end()),
  acceptedOnCall: () => on('tools/call', ({ response }) => response.writeHead(202).end()),
  /** Its answer names another request. */
  foreignOnCall: () =>
    on('tools/call', ({ response }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":987654,"result":{"content":[]}}')),

  loses404: losesSession(404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'),
  loses400: losesSession(400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'),

  acknowledges400: acknowledges(400, 'Bad Request', { 'content-type': 'text/plain' }),
  acknowledges204: acknowledges(204),
  acknowledges200: acknowledges(200),
  acknowledgesNull: acknowledges(200, 'null', { 'content-type': 'application/json' }),
  acknowledgesBody: acknowledges(202, '{"accepted":true}', { 'content-type': 'application/json' }),

  probe202: answersProbe(202),
  probeEmpty: answersProbe(200),
  probePlain: answersProbe(200, 'OK', { 'content-type': 'text/plain' }),
  probeHtml: answersProbe(200, HTML, { 'content-type': 'text/html' }),
  probeJson: answersProbe(200, '{"ok":true}', { 'content-type': 'application/json' }),
  probe403: answersProbe(403, '{"error":"forbidden"}', { 'content-type': 'application/json' }),
  probe406: answersProbe(406),
  probe500: answersProbe(500, 'unknown method', { 'content-type': 'text/plain' }),
  probe429: answersProbe(429, 'slow down'),
  probe401: answersProbe(401, 'who are you'),
  probeResets: spoilsProbe(({ response }) => void response.destroy()),
  probeSilent: spoilsProbe(() => undefined),
  probeStreamHeld: spoilsProbe(({ response }) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n')),
  probeStreamEnds: spoilsProbe(({ response }) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': no\n\n')),
  /** Has nothing to say to the probe, and a page for `initialize`. */
  probeSilentThenHtml: () => ({ request, response }) => {
    if (request.message?.method === 'initialize') response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
    return true;
  },
  /** Speaks the modern era alone, and takes 7 s to say so for the first time. */
  modernSlowly: () => {
    let first = true;
    const serve = modern();
    return async (context) => {
      if (first && context.request.message?.method === 'server/discover') {
        first = false;
        await new Promise((done) => setTimeout(done, 7_000));
      }
      return serve(context);
    };
  },

  labelsOddCase: labels({ 'content-type': 'Application/JSON; Charset=UTF-8' }),
  labelsMissing: labels({}),
  labelsPlain: labels({ 'content-type': 'text/plain' }),
  labelsGzip: labels({ 'content-type': 'application/json', 'content-encoding': 'gzip' }),
  /** 307 to the same server under another path. */
  redirectSame: () => ({ request, response }) => {
    if (request.path !== '/mcp') return false;
    response.writeHead(307, { location: '/mcp/' }).end();
    return true;
  },
  redirectPermanent: redirecting(301),
  redirectFound: redirecting(302),
  redirectSeeOther: redirecting(303),
  redirectKept: redirecting(308),
  /** From /mcp to /1, /2 and so on, without end. */
  redirectLoop: () => ({ request, response }) => {
    response.writeHead(307, { location: `/${Number(request.path.slice(1)) + 1 || 1}` }).end();
    return true;
  },
  redirectLinkLocal: () => redirectTo('http://169.254.169.254/latest/meta-data'),
  redirectNowhere: () => ({ response }) => {
    response.writeHead(307).end();
    return true;
  },
  /** 307 to RAW_SINK, another origin. */
  redirectCross: () => ({ response }) => {
    response.writeHead(307, { location: process.env.RAW_SINK ?? 'http://127.0.0.1:9/mcp' }).end();
    return true;
  },
};

/** A hook that sends every request on to another origin. @param {string} target @returns {Hook} */
export const redirectTo = (target) => ({ response }) => {
  response.writeHead(307, { location: target }).end();
  return true;
};
