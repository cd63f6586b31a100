// Modes in which the server asks the client for something.
import { appendFileSync } from 'node:fs';
import { ECHO_OFFER, NO_ANSWER, textResult, tool } from './protocol.mjs';
import { serveStdio, writeMessage, writeOut } from './stdio-wire.mjs';

/** @typedef {import('./protocol.mjs').Message} Message */

/** What no writer of JSON writes: it is put in by hand. */
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

/** Requests by name; `ask` sends one of them and answers with what the client said to it. @type {Record<string, Omit<Message, 'jsonrpc'>>} */
const REQUESTS = {
  ping: { method: 'ping' },
  ping_text: { method: 'ping', id: 'ping-with-a-text' },
  roots: { method: 'roots/list' },
  unknown: { method: 'no/such/method', params: {} },
  server_method: { method: 'tools/list' },
  bad_params: { method: 'ping', params: [1] },
  sampling: { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 1e9 } },
  bad_sampling: { method: 'sampling/createMessage', params: { messages: 'hi' } },
  elicitation: { method: 'elicitation/create', params: { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } },
  url: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', elicitationId: '1', url: 'https://example.org/sign-in' } },
  /** null for what is left out. */
  null_roots: { method: 'roots/list', params: { _meta: null } },
  null_elicitation: { method: 'elicitation/create', params: { _meta: null, mode: null, message: 'With nulls?', requestedSchema: { type: 'object', title: null, properties: { name: { type: 'string', title: null, description: null, default: null, enum: null } }, required: null } } },
  null_sampling: { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi', annotations: null, _meta: null } }], maxTokens: 10, systemPrompt: null, temperature: null, tools: null, modelPreferences: null } },
  deep: { method: 'sampling/createMessage', params: { messages: '@deep' } },
  e_empty: elicit({ type: 'object', properties: {} }),
  e_nested: elicit({ type: 'object', properties: { address: { type: 'object', properties: { street: { type: 'string' } } } } }),
  e_unknown_type: elicit({ type: 'object', properties: { when: { type: 'moment' } } }),
  e_default: elicit({ type: 'object', properties: { yes: { type: 'boolean', default: 'maybe' } } }),
  e_no_schema: { method: 'elicitation/create', params: { message: 'Well?' } },
  e_list_schema: elicit([]),
  e_titles: elicit({ type: 'object', properties: { pick: { type: 'string', oneOf: [{ const: 'a', title: 'One' }, { const: 'b', title: 'One' }] } } }),
  e_mode: { method: 'elicitation/create', params: { mode: 'telepathy', message: 'Think.' } },
  e_file: { method: 'elicitation/create', params: { mode: 'url', message: 'Open it', elicitationId: '2', url: 'file:///etc/passwd' } },
  e_script: { method: 'elicitation/create', params: { mode: 'url', message: 'Open it', elicitationId: '3', url: 'javascript:alert(1)' } },
};

/** @param {unknown} requestedSchema */
function elicit(requestedSchema) {
  return { method: 'elicitation/create', params: { message: 'Fill it in.', requestedSchema } };
}

/** Serves, and hands each answer of the client to whoever waits for it. @param {(ask: (request: Omit<Message, 'jsonrpc'>) => Promise<Message>) => Record<string, (params: any) => unknown>} make */
function serveAsking(make) {
  /** @type {Map<unknown, (answer: Message) => void>} */
  const waiting = new Map();
  let next = 1_000;
  const ask = (/** @type {Omit<Message, 'jsonrpc'>} */ request) =>
    new Promise((/** @type {(answer: Message) => void} */ done) => {
      const id = request.id ?? (next += 1);
      waiting.set(id, done);
      writeOut(`${JSON.stringify({ jsonrpc: '2.0', ...request, id }).replace('"@deep"', DEEP)}\n`);
    });
  const calls = make(ask);
  serveStdio({
    tools: [...Object.keys(calls).map((name) => tool(name)), ...ECHO_OFFER.tools],
    callTool: (params, context) => (calls[params.name] ? calls[params.name]?.(params) : ECHO_OFFER.callTool(params, context)),
  }, {
    before: (message) => {
      if (message.method !== undefined) return false;
      waiting.get(message.id)?.(message);
      return true;
    },
  });
}

/** @type {Message[]} */
const answered = [];

/** @type {Record<string, () => void>} */
export const ASKING_MODES = {
  /** `ask` sends the request `what` and answers with what came back; `flood` sends `count` pings and counts the answers. */
  asks: () =>
    serveAsking((ask) => ({
      ask: async (params) => textResult(JSON.stringify(await ask(REQUESTS[params.arguments?.what] ?? { method: 'ping' }))),
      flood: async (params) => {
        const { count = 1_000, what = 'ping' } = params.arguments ?? {};
        const answers = await Promise.all(Array.from({ length: count }, () => ask({ ...REQUESTS[what], method: REQUESTS[what]?.method })));
        return textResult(String(answers.length));
      },
    })),

  /** Pings before it was spoken to, and answers nothing until it has its answer; with RAW_ASKS_FIRST it asks for that instead. */
  pingFirst: () => {
    /** @type {Message | null} */
    let first = null;
    /** @type {Message[]} */
    const early = [];
    writeMessage({ jsonrpc: '2.0', id: 'first', ...(REQUESTS[process.env.RAW_ASKS_FIRST ?? 'ping'] ?? {}) });
    serveStdio({
      tools: [tool('first'), ...ECHO_OFFER.tools],
      callTool: (params, context) => (params.name === 'first' ? textResult(JSON.stringify(first)) : ECHO_OFFER.callTool(params, context)),
    }, {
      before: (message) => {
        if (message.method === undefined) {
          first = message;
          // Now it reads on where it stopped.
          for (const waiting of early.splice(0)) process.stdin.emit('data', Buffer.from(`${JSON.stringify(waiting)}\n`));
          return true;
        }
        // Other requests than a ping are answered by a client that has introduced itself.
        const waits = first === null && (process.env.RAW_ASKS_FIRST === undefined || message.method === 'server/discover');
        if (waits) early.push(message);
        return waits;
      },
    });
  },

  /** Speaks the modern era, and in it asks all the same: `ask` sends five requests, then answers. */
  modernAsks: () => {
    const complete = { resultType: 'complete' };
    serveStdio({
      ...ECHO_OFFER,
      methods: {
        'server/discover': () => ({ ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' }),
        'tools/list': () => ({ ...complete, tools: [tool('ask')], ttlMs: 0, cacheScope: 'private' }),
        'tools/call': () => {
          for (const id of ['a', 'b', 'c', 4, 5]) writeMessage({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: {} });
          return { ...complete, ...textResult(JSON.stringify(answered)) };
        },
      },
    }, {
      before: (message) => {
        if (message.method === undefined) answered.push(message);
      },
    });
  },

  /** Writes every message that it gets to RAW_MESSAGES, one a line. */
  recorded: () =>
    serveStdio({
      tools: [tool('never'), tool('quick'), ...ECHO_OFFER.tools],
      callTool: (params, context) => (params.name === 'never' ? NO_ANSWER : ECHO_OFFER.callTool(params, context)),
    }, {
      before: (message) => {
        if (process.env.RAW_MESSAGES !== undefined) appendFileSync(process.env.RAW_MESSAGES, `${JSON.stringify(message)}\n`);
      },
    }),

  /** `flood` pings for ever and reads nothing any more. */
  pingFlood: () =>
    serveStdio({
      tools: [tool('flood'), ...ECHO_OFFER.tools],
      callTool: (params, context) => {
        if (params.name !== 'flood') return ECHO_OFFER.callTool(params, context);
        process.stdin.pause();
        const go = (/** @type {number} */ id) => {
          for (let count = 0; count < 500; count += 1) writeMessage({ jsonrpc: '2.0', id: `flood-${id}-${count}-${'i'.repeat(1_000)}`, method: 'ping' });
          setImmediate(go, id + 1);
        };
        go(0);
        return NO_ANSWER;
      },
    }),
};
