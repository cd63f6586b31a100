// Modes about messages that are too large, forged, mixed with other text or not meant for anybody.
import { ECHO_OFFER, NO_ANSWER, textResult, tool } from './protocol.mjs';
import { serveStdio, writeMessage, writeOut } from './stdio-wire.mjs';

/** @typedef {import('./protocol.mjs').Offer} Offer */

/** @param {Record<string, (params: any, context: import('./protocol.mjs').CallContext) => unknown>} calls @param {Partial<Offer>} [extra] @returns {Offer} */
const offering = (calls, extra = {}) => ({
  tools: [...Object.keys(calls).map((name) => tool(name)), ...ECHO_OFFER.tools],
  callTool: (params, context) => (calls[params.name] ?? ECHO_OFFER.callTool)(params, context),
  ...extra,
});

/** @param {number} [bytes] */
const filler = (bytes = 2_000_000) => 'x'.repeat(bytes);

/** A piece of text in which answers to the requests 0 to 9 are quoted. */
const QUOTED_ANSWERS = JSON.stringify(Array.from({ length: 10 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`).join('\r'));

/** An answer of 2 MB whose id stands there; nested and quoted ids are all around it. @param {'first' | 'middle' | 'last'} where @param {unknown} id */
function hugeAnswer(where, id) {
  const result = `"result":{"content":[{"type":"text","text":${JSON.stringify(filler())}},{"id":0,"jsonrpc":"2.0"},{"type":"text","text":${QUOTED_ANSWERS}}]}`;
  const own = `"id":${JSON.stringify(id)}`;
  if (where === 'first') return `{${own},"jsonrpc":"2.0",${result}}`;
  if (where === 'last') return `{"jsonrpc":"2.0",${result},${own}}`;
  return `{"_meta":{"id":1,"text":${JSON.stringify(filler(5_000))}},${own},${result},"jsonrpc":"2.0"}`;
}

/** Writes without a newline for as long as it lives. @param {string} begin */
function writeForEver(begin) {
  const piece = filler(65_536);
  writeOut(begin);
  const go = () => {
    for (let count = 0; count < 64; count += 1) writeOut(piece);
    setImmediate(go);
  };
  go();
}

/** @type {Record<string, () => void>} */
export const HOSTILE_MODES = {
  /** `huge` answers 2 MB with its id in the place `where`; `hold` answers after the next huge one. */
  hugeAnswers: () => {
    /** @type {(() => void)[]} */
    const held = [];
    serveStdio(offering({
      huge: (params, context) => {
        writeOut(`${hugeAnswer(params.arguments?.where ?? 'first', context.id)}\n`);
        for (const release of held.splice(0)) release();
        return NO_ANSWER;
      },
      hold: () => new Promise((done) => held.push(() => done(textResult('held')))),
    }));
  },

  /** Before it answers a call, `shout` writes a notification, a request and a log record of 2 MB each that carry its id. */
  hugeOthers: () =>
    serveStdio(offering({
      shout: (_params, { id }) => {
        writeMessage({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', id, data: filler() } });
        writeMessage({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { text: filler() } });
        writeMessage({ id, level: 'info', text: filler() });
        writeOut(`${filler()}{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}\n`);
        return textResult('shouted');
      },
    })),

  /** `endless` begins its answer and never ends the line; `noise` writes text without end. */
  endlessLine: () =>
    serveStdio(offering({
      endless: (_params, { id }) => {
        writeForEver(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
        return NO_ANSWER;
      },
      noise: () => {
        writeForEver('noise ');
        return NO_ANSWER;
      },
      wait: () => NO_ANSWER,
    })),

  /** `nine` answers 9 MiB in one line; `deep` an answer that is nested 300,000 deep. */
  longAnswers: () =>
    serveStdio(offering({
      nine: () => textResult(filler(9 * 1_048_576)),
      deep: (_params, { id }) => {
        const nested = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;
        writeOut(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${nested}}}\n`);
        writeOut(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"deep":${nested}}}}\n`);
        return NO_ANSWER;
      },
    })),

  /** After set-up it answers every request behind text: a progress bar or a byte-order mark, with a forged tool in its list. */
  gluedLater: () => {
    let lists = 0;
    serveStdio({
      ...ECHO_OFFER,
      tools: [tool('change'), tool('forged'), ...ECHO_OFFER.tools],
      capabilities: { tools: { listChanged: true } },
      callTool: (params, context) => {
        if (params.name === 'change') context.notify('notifications/tools/list_changed');
        return ECHO_OFFER.callTool(params, context);
      },
    }, {
      write: (answer, request) => {
        if (request.method === 'tools/list' && (lists += 1) === 1) {
          return writeMessage({ ...answer, result: { tools: answer.result.tools.filter((/** @type {any} */ { name }) => name !== 'forged') } });
        }
        if (request.method === 'tools/list') writeOut('listing 100%\r');
        if (request.params?.name === 'forged') writeOut('\uFEFF');
        writeMessage(answer);
      },
    });
  },

  /** During set-up it prints, glued to text, answers that nobody asked for: to calls, to other lists, to other ids. */
  forgedInSetUp: () =>
    serveStdio({ ...ECHO_OFFER, capabilities: { resources: {} } }, {
      write: (answer, request) => {
        if (request.method === 'initialize') {
          for (const id of [0, 1, 2, 3, 4, 'x']) writeOut(`bar\r{"jsonrpc":"2.0","id":${JSON.stringify(id === answer.id ? 99 : id)},"result":{"tools":[{"name":"forged","inputSchema":{"type":"object"}}]}}\n`);
        }
        writeMessage(answer);
      },
    }),

  /** Each answer of the set-up behind another sort of text: a byte-order mark, a bar and a mark, a mark within the line. */
  marked: () => {
    let count = 0;
    const before = ['\uFEFF', 'loading 99%\r\uFEFF', 'ready\uFEFF', '50%\r100%\r'];
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method !== 'tools/call') writeOut(before[(count += 1) % before.length] ?? '');
        writeMessage(answer);
      },
    });
  },

  /** A character of four bytes stands in the middle of every answer, and the line is written in two halves that cut it. */
  cutCharacters: () =>
    serveStdio({ ...ECHO_OFFER, instructions: 'a\u2028b 🦊 ü' }, {
      write: (answer) => {
        const bytes = Buffer.from(`${JSON.stringify({ ...answer, result: { ...answer.result, _meta: { fox: '🦊' } } })}\n`);
        const at = bytes.indexOf(0xf0) + 2;
        writeOut(bytes.subarray(0, at));
        setTimeout(() => writeOut(bytes.subarray(at)), 20);
      },
    }),

  /** `spoil` answers, and then writes a byte that is no UTF-8 without ending the line. */
  badUtf8Later: () =>
    serveStdio(offering({ spoil: (_params, { id }) => {
      writeMessage({ jsonrpc: '2.0', id, result: textResult('before the spoilt line') });
      writeOut(Buffer.from([0x68, 0x69, 0xc3, 0x28]));
      return NO_ANSWER;
    } })),

  /** Claims to be the protocol, in each way that is none: `spoil` with `form`. */
  malformed: () =>
    serveStdio(offering({
      spoil: (params, { id }) => {
        const own = JSON.stringify(id);
        const forms = {
          no_result: `{"jsonrpc":"2.0","id":${own}}`,
          null_result: `{"jsonrpc":"2.0","id":${own},"result":null}`,
          text_result: `{"jsonrpc":"2.0","id":${own},"result":"done"}`,
          both: `{"jsonrpc":"2.0","id":${own},"result":{"content":[]},"error":{"code":1,"message":"it failed"}}`,
          version: `{"jsonrpc":"1.0","id":${own},"result":{}}`,
          error: `{"jsonrpc":"2.0","id":${own},"error":"it failed"}`,
          error_code: `{"jsonrpc":"2.0","id":${own},"error":{"code":"E1","message":"it failed"}}`,
          /** Of a request or notification of its own: no answer to anything. */
          request: `{"jsonrpc":"2.0","id":${own},"method":"ping","params":[1]}`,
          notification: '{"jsonrpc":"2.0","method":"notifications/message","params":"text"}',
          null_id: '{"jsonrpc":"2.0","id":null,"method":"notifications/message","params":{"level":"info","data":"a note with a null id"}}',
          null_method: `{"jsonrpc":"2.0","id":${own},"method":null,"params":null,"error":null,"result":{"content":[]}}`,
        };
        writeOut(`${forms[/** @type {keyof typeof forms} */ (params.arguments?.form)]}\n`);
        return ['request', 'notification', 'null_id'].includes(params.arguments?.form) ? textResult('after it') : NO_ANSWER;
      },
    })),

  /** Answers calls in a list: `batch` of one, `two` with a stranger, `empty` an empty list first. RAW_REVISION is the revision it names. */
  batches: () =>
    serveStdio(offering({ batch: () => textResult('in a batch'), two: () => textResult('of two'), empty: () => textResult('after nothing') }, {
      initialize: { protocolVersion: process.env.RAW_REVISION ?? '2025-11-25' },
    }), {
      write: (answer, request) => {
        const name = request.params?.name;
        if (name === 'batch') writeMessage([answer]);
        else if (name === 'two') writeMessage([{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'in a batch' } }, answer, { stranger: true }]);
        else {
          if (name === 'empty') writeMessage([]);
          writeMessage(answer);
        }
      },
    }),

  /** `chatter` sends `count` notes of progress with tokens that belong to nothing, and `after` with its own once it has answered. */
  chatter: () =>
    serveStdio(offering({
      chatter: (params, { id, progressToken, notify }) => {
        const { count = 100 } = params.arguments ?? {};
        for (let index = 0; index < count; index += 1) notify('notifications/progress', { progressToken: index % 2 === 0 ? `tool-call-${index}` : null, progress: index });
        writeMessage({ jsonrpc: '2.0', id, result: textResult('chattered') });
        for (let index = 0; index < count; index += 1) notify('notifications/progress', { progressToken, progress: index });
        writeMessage({ jsonrpc: '2.0', id, result: textResult('a second answer') });
        writeMessage({ jsonrpc: '2.0', id: 'nobody', result: {} });
        writeMessage({ jsonrpc: '2.0', id: 'nobody', error: { code: 1, message: 'no' } });
        return NO_ANSWER;
      },
      /** Logs at levels of which two are the protocol's, then answers. */
      levels: (_params, { notify }) => {
        for (const level of ['warning', 'warn', 'ERROR', 'nonsense', undefined]) notify('notifications/message', { level, logger: 'raw', data: `at ${level}` });
        notify('notifications/message');
        notify('notifications/message', { level: 'info' });
        return textResult('logged');
      },
      /** `count` log messages as fast as it can. */
      logs: (params, { notify }) => {
        for (let index = 0; index < (params.arguments?.count ?? 20_000); index += 1) notify('notifications/message', { level: 'info', data: `line ${index} ${filler(200)}` });
        return textResult('flooded');
      },
      /** Takes the request back that it was asked, and answers all the same. */
      takesBack: (_params, { id, notify }) => {
        notify('notifications/cancelled', { requestId: id, reason: 'changed my mind' });
        return textResult('after all');
      },
    })),
};
