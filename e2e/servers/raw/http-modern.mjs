// Modes of raw-http that speak the modern era (2026-07-28), by hand: no session, every request on its own.
import { textResult, tool } from './protocol.mjs';

/** @typedef {import('../raw-http.mjs').Hook} Hook */
/** @typedef {import('../raw-http.mjs').HookContext} HookContext */

export const MODERN_REVISION = '2026-07-28';
const CACHED = { ttlMs: 0, cacheScope: 'private' };
const ECHO = tool('echo', { type: 'object', properties: { text: { type: 'string' }, region: { type: 'string', 'x-mcp-header': 'Region' } } });

/** @param {HookContext['response']} response @param {unknown} id @param {object} outcome `result` or `error` @param {number} [status] */
const reply = (response, id, outcome, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));

/**
 * A modern server; a method of its own takes its requests over and answers `true`, or leaves them.
 * @param {Record<string, (context: HookContext) => boolean | void | Promise<boolean | void>>} [methods]
 * @param {object} [options]
 * @param {any[]} [options.tools]
 * @param {Record<string, unknown>} [options.capabilities]
 * @returns {Hook}
 */
export const modern = (methods = {}, { tools = [ECHO], capabilities = { tools: {} } } = {}) => async (context) => {
  const { request, response } = context;
  if (request.method !== 'POST' || request.message === null) {
    response.writeHead(405).end();
    return true;
  }
  const { id, method = '', params } = request.message;
  if ((await methods[method]?.(context)) === true) return true;
  switch (method) {
    case 'server/discover':
      reply(response, id, { result: { resultType: 'complete', supportedVersions: [MODERN_REVISION], capabilities, _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern by hand', version: '1' } }, ...CACHED } });
      break;
    case 'tools/list':
      reply(response, id, { result: { resultType: 'complete', tools, ...CACHED } });
      break;
    case 'tools/call':
      reply(response, id, { result: { resultType: 'complete', ...textResult(JSON.stringify(params.arguments ?? null)) } });
      break;
    default:
      reply(response, id, { error: { code: -32_601, message: 'Method not found' } }, 404);
  }
  return true;
};

/** Asks for input on every call, and says in the end what it got. @param {number} rounds how often @param {object} asked @returns {() => Hook} */
const asking = (rounds, asked) => () => modern({
  'tools/call': ({ request, response }) => {
    const { id, params } = request.message ?? {};
    const round = Number(String(params.requestState ?? 'round-0').replace('round-', ''));
    if (round >= rounds) {
      reply(response, id, { result: { resultType: 'complete', ...textResult(JSON.stringify({ responses: params.inputResponses ?? null, state: params.requestState })) } });
    } else {
      reply(response, id, { result: { resultType: 'input_required', ...asked, requestState: `round-${round + 1}` } });
    }
    return true;
  },
});

const FORM = { inputRequests: { name: { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } } } };

/** Refuses every call with an error of the protocol. @param {number} code @param {string} message @param {unknown} [data] @returns {() => Hook} */
const refusingCalls = (code, message, data) => () => modern({
  'tools/call': ({ request, response }) => {
    reply(response, request.message?.id, { error: { code, message, ...(data === undefined ? {} : { data }) } }, 400);
    return true;
  },
});

/** A tool whose header was renamed meanwhile: calls by the old name are refused until the list was read again. @returns {Hook} */
function renamesHeader() {
  const toolWith = (/** @type {string} */ header) => [tool('echo', { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': header } } })];
  let isRenamed = false;
  return modern({
    'tools/list': ({ request, response }) => {
      reply(response, request.message?.id, { result: { resultType: 'complete', tools: toolWith(isRenamed ? 'New' : 'Old'), ...CACHED } });
      isRenamed = true;
      return true;
    },
    'tools/call': ({ request, response }) => {
      if (request.headers['mcp-param-new'] !== undefined) return false;
      reply(response, request.message?.id, { error: { code: -32_020, message: 'Header mismatch: Mcp-Param-New is missing' } }, 400);
      return true;
    },
  });
}

/** Its call streams progress until it is told to stop, by the closing of the stream. @returns {Hook} */
const streamsForEver = () => modern({
  'tools/call': ({ request, response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const progressToken = request.message?.params?._meta?.progressToken;
    let progress = 0;
    const timer = setInterval(() => response.write(`id: m-${progress}\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: (progress += 1) } })}\n\n`), 50);
    response.on('close', () => clearInterval(timer));
    return true;
  },
});

/** Numbers its events, as the modern era does not know, and ends early. @returns {Hook} */
const dropsModern = () => modern({
  'tools/call': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 10\nid: m-1\ndata:\n\n');
    return true;
  },
});

/** Speaks other revisions than it is asked for, and says which. @param {readonly string[]} supported @returns {() => Hook} */
const speaksOnly = (supported) => () => async (context) => {
  const { request, response } = context;
  if (request.message?.method !== 'server/discover') return false;
  reply(response, request.message.id, { error: { code: -32_022, message: 'Unsupported protocol version', data: { supported, requested: MODERN_REVISION } } }, 400);
  return true;
};

/** @type {Record<string, () => Hook>} */
export const MODERN_MODES = {
  modernOk: () => modern(),
  modernAsks: asking(1, FORM),
  modernAsksTwice: asking(2, FORM),
  modernAsksForEver: asking(1_000_000, FORM),
  /** Nothing but a state to come back with. */
  modernState: asking(2, {}),
  modernHeaderRenamed: renamesHeader,
  modernHeaderMismatch: refusingCalls(-32_020, 'Header mismatch: nothing will do'),
  modernCapability: refusingCalls(-32_021, 'Missing required client capability', { requiredCapabilities: { sampling: {} } }),
  modernStreams: streamsForEver,
  modernDrops: dropsModern,
  /** Legacy revisions alone, told by the modern error. */
  modernSpeaksLegacy: speaksOnly(['2025-11-25', '2025-06-18']),
  modernSpeaksFuture: speaksOnly(['2031-01-01']),
};
