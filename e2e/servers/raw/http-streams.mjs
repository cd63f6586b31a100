// Modes of raw-http: streams that break off and are resumed, and the push stream.

/** @typedef {import('../raw-http.mjs').Hook} Hook */
/** @typedef {import('../raw-http.mjs').HookContext} HookContext */

/** @param {HookContext['response']} response */
const openStream = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' });

/** @param {unknown} message @param {string} [id] */
const toEvent = (message, id) => `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;

/**
 * Answers a call over several streams: the POST's has the priming event, each one opened by GET after it one more
 * event, the last the answer.
 * @param {object} [options]
 * @param {'end' | 'reset'} [options.how] how a stream breaks off
 * @param {number} [options.retryMs] said in the first stream
 * @param {number} [options.drops] how often
 * @param {boolean} [options.cutsAnswer] the answer is cut in its middle, once
 * @param {(attempt: number, context: HookContext) => boolean} [options.refuse] takes over the GET of this attempt
 * @returns {() => Hook}
 */
export const dropping = ({ how = 'end', retryMs = 30, drops = 3, cutsAnswer = false, refuse } = {}) => () => {
  /** @type {{ message: any, answer: unknown, sent: number } | null} */
  let call = null;
  let attempts = 0;
  let isCut = !cutsAnswer;
  const drop = (/** @type {HookContext['response']} */ response) => {
    if (how === 'end') response.end();
    else setTimeout(() => response.destroy(), 20);
  };
  return async (context) => {
    const { request, response, answer } = context;
    if (request.message?.method === 'tools/call') {
      call = { message: request.message, answer: await answer(), sent: 0 };
      openStream(response);
      response.write(`${retryMs === undefined ? '' : `retry: ${retryMs}\n`}id: call-0\ndata:\n\n`);
      drop(response);
      return true;
    }
    const after = request.headers['last-event-id'];
    if (request.method !== 'GET' || call === null || typeof after !== 'string') return false;
    attempts += 1;
    if (refuse?.(attempts, context) === true) return true;
    openStream(response);
    const number = Number(after.replace('call-', ''));
    if (number < drops - 1) {
      const progressToken = call.message.params?._meta?.progressToken;
      const params = { progressToken, progress: number + 1, total: drops };
      response.write(toEvent({ jsonrpc: '2.0', method: 'notifications/progress', params }, `call-${number + 1}`));
      drop(response);
      return true;
    }
    const event = toEvent(call.answer, `call-${drops}`);
    if (isCut) {
      response.end(event);
      return true;
    }
    isCut = true;
    response.write(event.slice(0, event.length - 10));
    drop(response);
    return true;
  };
};

/** @param {number} status @returns {NonNullable<NonNullable<Parameters<typeof dropping>[0]>['refuse']>} */
const refusing = (status) => (_, { response }) => {
  response.writeHead(status).end();
  return true;
};

/** Takes over every GET. @param {(context: HookContext, count: number) => void} serve @returns {() => Hook} */
const pushing = (serve) => () => {
  let count = 0;
  return (context) => {
    if (context.request.method !== 'GET') return false;
    count += 1;
    serve(context, count);
    return true;
  };
};

const LIST_CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

/** Writes as fast as the other side reads, until it goes away. @param {HookContext['response']} response @param {string} text */
function flood(response, text) {
  const write = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', write);
  write();
}

/** The answer to a call comes over the push stream: the POST is only accepted. @returns {Hook} */
function answersOverPush() {
  /** @type {HookContext['response'] | null} */
  let stream = null;
  return async ({ request, response, answer }) => {
    if (request.method === 'GET') {
      stream = response;
      openStream(response).write(': here\n\n');
      return true;
    }
    if (request.message?.method !== 'tools/call') return false;
    const message = await answer();
    response.writeHead(202).end();
    stream?.write(toEvent(message));
    return true;
  };
}

/** A stream that was dropped is answered on whichever GET comes next, as polling servers do. @returns {Hook} */
function answersOnAnyStream() {
  /** @type {unknown} */
  let waiting = null;
  return async ({ request, response, answer }) => {
    if (request.message?.method === 'tools/call') {
      waiting = await answer();
      openStream(response).end('id: any-1\nretry: 400\ndata:\n\n');
      return true;
    }
    if (request.method !== 'GET') return false;
    openStream(response).write('id: any-0\nretry: 100\ndata:\n\n');
    if (waiting === null) response.end();
    else response.end(toEvent(waiting));
    return true;
  };
}

/** Pushes an answer to each call in flight that its own stream has not given. @returns {Hook} */
function forgesOverPush() {
  /** @type {HookContext['response'] | null} */
  let stream = null;
  return async ({ request, response, answer }) => {
    if (request.method === 'GET') {
      stream = response;
      openStream(response).write(': here\n\n');
      return true;
    }
    if (request.message?.method !== 'tools/call') return false;
    const forged = (/** @type {unknown} */ id) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'forged' }] } });
    stream?.write(toEvent(forged(request.message.id)));
    stream?.write(toEvent({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'forged' } }));
    openStream(response).write(toEvent(forged(request.message.id === 1 ? 2 : 1)));
    const message = await answer();
    setTimeout(() => response.end(toEvent(message)), 300);
    return true;
  };
}

/** @type {Record<string, () => Hook>} */
export const STREAM_MODES = {
  dropsEnd: dropping(),
  dropsReset: dropping({ how: 'reset' }),
  /** Says no `retry`. */
  dropsOnce: dropping({ drops: 1, retryMs: undefined }),
  dropsMany: dropping({ drops: 25, retryMs: 1 }),
  dropsMidAnswer: dropping({ cutsAnswer: true }),
  /** A gateway is in the way for two tries. */
  dropsBehindGateway: dropping({ refuse: (attempt, context) => attempt <= 2 && refusing(502)(attempt, context) }),
  dropsRefused405: dropping({ refuse: refusing(405) }),
  dropsRefused404: dropping({ refuse: refusing(404) }),
  dropsRefused400: dropping({ refuse: refusing(400) }),
  /** Every GET is cut. */
  dropsForGood: dropping({
    refuse: (_, { response }) => {
      response.destroy();
      return true;
    },
  }),
  dropsToAnyStream: answersOnAnyStream,

  pushEndsAtOnce: pushing(({ response }) => openStream(response).end()),
  pushBreaks: pushing(({ response }) => {
    openStream(response).write(': here\n\n');
    setTimeout(() => response.destroy(), 50);
  }),
  /** One event on each stream, with an id and a time to come again. */
  pushEventsOneByOne: pushing(({ response }, count) => openStream(response).end(`retry: 40\n${toEvent(LIST_CHANGED, `push-${count}`)}`)),
  pushFloodsEvents: pushing(({ response }) =>
    flood(openStream(response), toEvent({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(1000) } }))),
  pushFloodsStray: pushing(({ response }) => flood(openStream(response), 'data: {"type":"heartbeat"}\n\n')),
  /** An event that never ends. */
  pushEndlessEvent: pushing(({ response }) => flood(openStream(response), `data: ${'x'.repeat(16_384)}\n`)),
  pushEndlessLine: pushing(({ response }) => flood(openStream(response), 'x'.repeat(16_384))),
  pushNoStream: pushing(({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')),
  pushAnswers: answersOverPush,
  pushForges: forgesOverPush,

  /** The answer comes without the blank line, and the stream stays open. */
  sseUnfinished: () => async ({ request, response, answer }) => {
    if (request.message?.method !== 'tools/call') return false;
    openStream(response).write(`data: ${JSON.stringify(await answer())}\n`);
    return true;
  },
  /** A body that is begun and never ended. */
  bodyUnfinished: () => async ({ request, response, answer }) => {
    if (request.message?.method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'application/json' }).write(JSON.stringify(await answer()).slice(0, 20));
    return true;
  },
  /** The same for the tool list, in a stream. */
  sseUnfinishedList: () => async ({ request, response, answer }) => {
    if (request.message?.method !== 'tools/list') return false;
    openStream(response).write(`data: ${JSON.stringify(await answer())}\n`);
    return true;
  },
};
