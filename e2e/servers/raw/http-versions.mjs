// Modes of raw-http: what servers make of the protocol's revisions.
import { LEGACY_REVISIONS } from './protocol.mjs';

/** @typedef {import('../raw-http.mjs').Hook} Hook */

/** Answers `initialize` by hand. @param {(result: any) => any} change of what the correct server answers @returns {() => Hook} */
const answersInitialize = (change) => () => async ({ request, response, answer, sessions }) => {
  if (request.message?.method !== 'initialize') return false;
  const { result } = (await answer()) ?? {};
  sessions.add('versions');
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'versions' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message.id, result: change(result) }));
  return true;
};

/** Takes only some revisions, and refuses others with what it takes. @param {readonly string[]} taken @param {(taken: readonly string[], id?: unknown) => string} toBody @returns {() => Hook} */
const strict = (taken, toBody) => () => ({ request, response }) => {
  const { message, headers } = request;
  const asked = message?.method === 'initialize' ? message.params?.protocolVersion : headers['mcp-protocol-version'];
  if (message?.method !== 'server/discover' && (asked === undefined || taken.includes(String(asked)))) return false;
  response.writeHead(400, { 'content-type': 'application/json' }).end(toBody(taken, message?.id));
  return true;
};

const inWords = (/** @type {readonly string[]} */ taken) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: `Bad Request: Unsupported protocol version (supported versions: ${taken.join(', ')})` } });
const inData = (/** @type {readonly string[]} */ taken) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_602, message: 'Unsupported protocol version', data: { supported: taken, requested: 'x' } } });
/** The same with the id of the request, and in other words. */
const inAnswer = (/** @type {readonly string[]} */ taken, /** @type {unknown} */ id) =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code: -32_000, message: `Unsupported version; supported: ${taken.join(', ')}` } });

/** @type {Record<string, () => Hook>} */
export const VERSION_MODES = {
  badVersion: answersInitialize((result) => ({ ...result, protocolVersion: '1999-01-01' })),
  noVersion: answersInitialize((result) => ({ ...result, protocolVersion: undefined })),
  oldVersion: answersInitialize((result) => ({ ...result, protocolVersion: '2024-11-05' })),
  /** Leaves out what it must say, and says null for what it need not. */
  bareHandshake: answersInitialize(({ protocolVersion }) => ({ protocolVersion, instructions: null, serverInfo: null })),
  strictInWords: strict(['2025-03-26', '2025-06-18'], inWords),
  strictInData: strict(['2025-03-26', '2025-06-18'], inData),
  strictInAnswer: strict(['2025-03-26', '2025-06-18'], inAnswer),
  strictInOtherWords: strict(['2025-03-26', '2025-06-18'], (taken) => inAnswer(taken, null)),
  /** Names a revision that it then refuses as well. */
  strictLiar: () => ({ request, response }) => {
    if (request.message?.method !== 'initialize' && request.message?.method !== 'server/discover') return false;
    response.writeHead(400, { 'content-type': 'application/json' }).end(inWords(['2025-06-18']));
    return true;
  },
  strictUnknown: strict(['1999-01-01'], inWords),
  /** Refuses `initialize` that says a revision in its head, as it may not. */
  strictHeader: () => ({ request, response }) => {
    const { message, headers, method } = request;
    const isVersioned = headers['mcp-protocol-version'] !== undefined;
    if (message?.method === 'server/discover') return false;
    if (message?.method === 'initialize' ? !isVersioned : isVersioned && LEGACY_REVISIONS.includes(String(headers['mcp-protocol-version']))) return false;
    response.writeHead(400, { 'content-type': 'text/plain' }).end(`${method} ${isVersioned ? 'with' : 'without'} a revision`);
    return true;
  },
};
