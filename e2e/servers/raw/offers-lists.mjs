// Offers about lists: odd tools, odd fields, manifests.
import { ECHO_OFFER, NO_ANSWER, rpcError, textResult, tool } from './protocol.mjs';

/** @typedef {import('./protocol.mjs').Offer} Offer */

const NODE_SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
};

/** `depth` objects, one inside the other. @param {number} depth */
function nested(depth) {
  /** @type {any} */
  let schema = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { inner: schema } };
  return schema;
}

/** The manifest that the `manifest` offer answers, unless RAW_MANIFEST holds another. */
export const SAMPLE_MANIFEST = {
  server: 'raw',
  version: '1.0.0',
  external: false,
  tools: [
    { name: 'echo', optional_dependency: null, available: true, reason: null, timeout_s: 7, remediation: null, without: null, long_running: false, verify_with: [] },
    { name: 'unpack', optional_dependency: 'upx', available: false, reason: 'upx is not installed', timeout_s: null, remediation: 'apt-get install upx-ucl', without: null, long_running: false, verify_with: [] },
    { name: 'scan', optional_dependency: 'yara', available: false, reason: 'yara is not installed', timeout_s: null, remediation: 'apt-get install yara', without: 'matches of the built-in rules', long_running: false, verify_with: ['echo'] },
    { name: 'not_listed', optional_dependency: 'ghidra', available: false, reason: 'GHIDRA_HOME is not set', timeout_s: null, remediation: 'set GHIDRA_HOME', without: null, long_running: true, verify_with: [] },
  ],
};

/** @returns {Offer} */
const manifestOffer = (/** @type {string} */ text) => ({
  tools: [tool('capabilities', { type: 'object', properties: {} }), ...ECHO_OFFER.tools, tool('unpack'), tool('scan')],
  callTool: (params, context) => (params.name === 'capabilities' ? textResult(text) : ECHO_OFFER.callTool(params, context)),
});

/** @param {any[]} tools @param {Partial<Offer>} [extra] @returns {() => Offer} */
const listing = (tools, extra = {}) => () => ({ ...ECHO_OFFER, tools, ...extra });

/** @type {Record<string, () => Offer>} */
export const LIST_OFFERS = {
  emptyTools: listing([]),

  t_dup: listing([tool('good', { type: 'object', properties: { a: { type: 'string' } } }), tool('good', { type: 'object', required: ['b'] }), tool('echo')]),

  /** Three that cannot be used, with a good one between them. */
  t_malformed: listing([{ name: 'no_schema' }, tool('echo'), { description: 'no name', inputSchema: { type: 'object' } }, 'not an object']),

  t_name: listing([
    tool('files.read'), tool('path/to'), tool('with space'), tool(''), tool('x'.repeat(300)), tool('bell\u0007'),
    tool('right\u202Eleft'), tool('echo'),
  ]),

  /** Every optional field as null. */
  nulls: () => ({
    ...ECHO_OFFER,
    instructions: null,
    capabilities: { resources: null, prompts: null, logging: null },
    methods: {
      'tools/list': () => ({
        tools: [{ ...tool('echo'), title: null, description: null, annotations: null, outputSchema: null, icons: null, _meta: null }],
        nextCursor: null,
        _meta: null,
      }),
    },
  }),

  manifest: () => manifestOffer(process.env.RAW_MANIFEST ?? JSON.stringify(SAMPLE_MANIFEST)),

  /** A manifest that never comes. */
  manifestHangs: () => ({ ...manifestOffer(''), callTool: (params, context) => (params.name === 'capabilities' ? NO_ANSWER : ECHO_OFFER.callTool(params, context)) }),

  recursive: listing([
    tool('tree', { type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node: NODE_SCHEMA } }),
    tool('all_of_cycle', { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }] } } }),
    tool('deep', nested(500)),
    tool('echo'),
  ]),

  /** Five tools on three pages; an empty cursor is a cursor. */
  pages: () => ({
    ...ECHO_OFFER,
    methods: {
      'tools/list': (params) => {
        if (params?.cursor === undefined) return { tools: [tool('one'), tool('two')], nextCursor: '' };
        if (params.cursor === '') return { tools: [tool('three'), tool('four')], nextCursor: 'last' };
        return { tools: [tool('five')] };
      },
    },
  }),

  repeatedCursor: () => ({ ...ECHO_OFFER, methods: { 'tools/list': () => ({ tools: [tool('echo')], nextCursor: 'again' }) } }),

  /** A page of one tool for ever, each with a new cursor. */
  endlessPages: () => ({
    ...ECHO_OFFER,
    methods: {
      'tools/list': (params) => {
        const page = Number(params?.cursor ?? 0);
        return { tools: [tool(`tool_${page}`)], nextCursor: String(page + 1) };
      },
    },
  }),

  manyTools: listing(Array.from({ length: 20_000 }, (_, index) => tool(`tool_${index}`))),

  /** More than anybody reads, on one page. */
  tooManyTools: listing(Array.from({ length: 20_005 }, (_, index) => tool(`tool_${index}`))),

  /** More than anybody reads, 7,000 a page. */
  tooManyPages: () => ({
    ...ECHO_OFFER,
    methods: {
      'tools/list': (params) => {
        const page = Number(params?.cursor ?? 0);
        return { tools: Array.from({ length: 7_000 }, (_, index) => tool(`tool_${page}_${index}`)), nextCursor: String(page + 1) };
      },
    },
  }),

  /** Declares resources and prompts and knows neither list. */
  declaredOnly: () => ({ ...ECHO_OFFER, capabilities: { resources: {}, prompts: {} } }),

  resourcesAndPrompts: () => ({
    ...ECHO_OFFER,
    instructions: 'Ask for the notes.',
    capabilities: { resources: { listChanged: true }, prompts: {} },
    methods: {
      'resources/list': () => ({ resources: [{ uri: 'note://one', name: 'one', mimeType: 'text/plain', size: 5 }] }),
      'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'note' }] }),
      'resources/read': (params) =>
        params?.uri === 'note://one'
          ? { contents: [{ uri: 'note://one', mimeType: 'text/plain', text: 'hello' }] }
          : rpcError(-32_002, 'Resource not found', { uri: params?.uri }),
      'prompts/list': () => ({ prompts: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who', required: true }] }] }),
      'prompts/get': (params) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${params?.arguments?.who}!` } }] }),
    },
  }),

  /** Calling `grow` adds a tool and says that the list changed. */
  listChanged: () => {
    const tools = [tool('grow'), ...ECHO_OFFER.tools];
    return {
      tools,
      capabilities: { tools: { listChanged: true } },
      callTool: (params, context) => {
        if (params.name !== 'grow') return ECHO_OFFER.callTool(params, context);
        tools.push(tool(`grown_${tools.length}`));
        context.notify('notifications/tools/list_changed');
        return textResult('grown');
      },
    };
  },

  /** null for everything that may be left out, in every answer; RAW_NULL makes the field that it names null where it may not be. */
  nullEverywhere: () => {
    const required = (/** @type {string} */ field, /** @type {unknown} */ value) => (process.env.RAW_NULL === field ? null : value);
    const bare = { title: null, description: null, icons: null, _meta: null, annotations: null };
    return {
      ...ECHO_OFFER,
      instructions: null,
      capabilities: { experimental: null, completions: null, prompts: { listChanged: null }, resources: { subscribe: null, listChanged: null } },
      initialize: { _meta: null, serverInfo: { name: 'raw', version: '1', title: null, websiteUrl: null, icons: null, description: null } },
      callTool: () => ({ content: required('content', [{ type: 'text', text: required('text', 'full'), annotations: null, _meta: null }]), structuredContent: null, isError: null, _meta: null }),
      methods: {
        'server/discover': () => rpcError(-32_601, 'Method not found', null),
        'tools/list': () => ({
          tools: required('tools', [
            { name: 'echo', inputSchema: { type: 'object', properties: null, required: null, additionalProperties: null }, outputSchema: null, execution: null, ...bare },
            ...['name', 'inputSchema'].map((field) => ({ name: `no_${field}`, inputSchema: { type: 'object' }, ...(process.env.RAW_NULL === field && { [field]: null }) })),
          ]),
          nextCursor: null, _meta: null, ttlMs: null,
        }),
        'resources/list': () => ({ resources: [{ uri: 'note://one', name: 'one', mimeType: null, size: null, ...bare }], nextCursor: null, _meta: null }),
        'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'note://{id}', name: null, mimeType: null, ...bare }], nextCursor: null }),
        'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: null, ...bare }, { name: 'ask', arguments: [{ name: 'who', description: null, required: null }] }], nextCursor: null }),
      },
    };
  },

  /** Declares nothing but tools, and says on stderr when it is asked for what it did not declare. */
  toolsOnly: () => ({
    ...ECHO_OFFER,
    methods: Object.fromEntries(['resources/list', 'resources/templates/list', 'prompts/list'].map((method) => [method, () => {
      process.stderr.write(`asked for ${method}\n`);
      return rpcError(-32_601, 'Method not found');
    }])),
  }),

  /** Declares no capability at all and has tools. */
  undeclaredTools: () => ({ ...ECHO_OFFER, initialize: { capabilities: {} } }),
};
