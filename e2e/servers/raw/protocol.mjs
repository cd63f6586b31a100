// What a small, correct legacy-era server answers, as plain data: shared by raw-stdio and raw-http. No SDK inside.

/** @typedef {{ jsonrpc: '2.0', id?: string | number, method?: string, params?: any, result?: any, error?: any }} Message */
/**
 * @typedef {object} CallContext
 * @property {string | number | undefined} id of the request
 * @property {string | number | undefined} progressToken
 * @property {(method: string, params?: unknown) => void} notify sends a notification before the answer
 * @property {AbortSignal} cancelled fires when the client cancels this request
 */
/**
 * @typedef {object} Offer what a server offers
 * @property {any[]} tools
 * @property {(params: any, context: CallContext) => unknown} callTool a result, an `rpcError`, or `NO_ANSWER`
 * @property {Record<string, unknown>} [capabilities]
 * @property {string | null} [instructions]
 * @property {Record<string, unknown>} [initialize] members laid over the `initialize` result
 * @property {Record<string, (params: any) => unknown>} [methods] answers of their own, before the usual ones
 */

export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const NEWEST_LEGACY_REVISION = '2025-11-25';

/** A request that is never answered. */
export const NO_ANSWER = Symbol('no answer');

class RpcError {
  /** @param {number} code @param {string} message @param {unknown} data */
  constructor(code, message, data) {
    this.error = data === undefined ? { code, message } : { code, message, data };
  }
}

/** @param {number} code @param {string} message @param {unknown} [data] */
export const rpcError = (code, message, data) => new RpcError(code, message, data);

/** @param {string} text @param {Record<string, unknown>} [extra] */
export const textResult = (text, extra = {}) => ({ content: [{ type: 'text', text }], ...extra });

/** @param {string} name @param {any} [inputSchema] @param {Record<string, unknown>} [extra] */
export const tool = (name, inputSchema = { type: 'object' }, extra = {}) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema,
  ...extra,
});

/** @type {Offer} */
export const ECHO_OFFER = {
  tools: [tool('echo', { type: 'object', properties: { text: { type: 'string' } } })],
  callTool: (params) => textResult(JSON.stringify(params.arguments ?? null)),
};

/** @param {any} params @param {Offer} offer */
function initializeResult(params, offer) {
  const asked = params?.protocolVersion;
  return {
    protocolVersion: LEGACY_REVISIONS.includes(asked) ? asked : NEWEST_LEGACY_REVISION,
    capabilities: { tools: {}, ...offer.capabilities },
    serverInfo: { name: 'raw', version: '1.0.0' },
    ...(offer.instructions === undefined ? {} : { instructions: offer.instructions }),
    ...offer.initialize,
  };
}

/**
 * @param {Message} message @param {Offer} offer @param {CallContext} context
 * @returns {Promise<unknown>} the result, an RpcError or NO_ANSWER
 */
async function outcomeOf(message, offer, context) {
  const own = offer.methods?.[message.method ?? ''];
  if (own) return own(message.params);
  switch (message.method) {
    case 'initialize':
      return initializeResult(message.params, offer);
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: offer.tools };
    case 'tools/call':
      return offer.callTool(message.params, context);
    default:
      return rpcError(-32601, 'Method not found');
  }
}

/**
 * The answer to a request, or null where there is none: to a notification, or by intention.
 * @param {Message} message @param {Offer} offer @param {CallContext} context
 * @returns {Promise<Message | null>}
 */
export async function answerTo(message, offer, context) {
  if (message.id === undefined || message.method === undefined) return null;
  const outcome = await outcomeOf(message, offer, context);
  if (outcome === NO_ANSWER) return null;
  if (outcome instanceof RpcError) return { jsonrpc: '2.0', id: message.id, error: outcome.error };
  return { jsonrpc: '2.0', id: message.id, result: outcome };
}
