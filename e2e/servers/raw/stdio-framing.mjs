// Modes about bytes on the pipe: what stands before, between and inside the messages.
import { ECHO_OFFER, textResult, tool } from './protocol.mjs';
import { serveStdio, writeErr, writeMessage, writeOut } from './stdio-wire.mjs';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** The instructions hold what careless readers cut: a line separator and characters of four bytes. */
const UNICODE_OFFER = { ...ECHO_OFFER, instructions: 'a\u2028b 🦊 ü' };

/** @param {unknown} answer */
const isInitialize = (answer) => /** @type {any} */ (answer).result?.protocolVersion !== undefined;

/** @param {string | Uint8Array} bytes one byte a millisecond, in order */
const dribble = (() => {
  let queue = Promise.resolve();
  return (/** @type {string} */ bytes) => {
    queue = queue.then(async () => {
      for (const byte of Buffer.from(bytes, 'utf8')) {
        writeOut(Buffer.from([byte]));
        await new Promise((done) => setTimeout(done, 1));
      }
    });
  };
})();

const BIG_OFFER = {
  tools: [tool('big_line', { type: 'object', properties: { bytes: { type: 'integer' } } }), ...ECHO_OFFER.tools],
  /** @param {any} params @param {any} context */
  callTool: (params, context) =>
    params.name === 'big_line'
      ? textResult('x'.repeat(params.arguments?.bytes ?? 176 * 65_536))
      : ECHO_OFFER.callTool(params, context),
};

/** @type {Record<string, () => void>} */
export const FRAMING_MODES = {
  /** A correct server with one tool. */
  ok: () => serveStdio(ECHO_OFFER),

  /** Two lines of text before the first message. */
  banner: () => {
    writeOut('raw-stdio v1 starting\nlistening on stdio\n');
    serveStdio(ECHO_OFFER);
  },

  /** A line of text before and after the answer to `initialize`. */
  bannerMid: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer) => {
        if (isInitialize(answer)) writeOut('about to answer\n');
        writeMessage(answer);
        if (isInitialize(answer)) writeOut('answered\n');
      },
    }),

  /** Text without a newline directly before the answer to `initialize`. */
  bannerNoNl: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer) => {
        if (isInitialize(answer)) writeOut('loading model ');
        writeMessage(answer);
      },
    }),

  /** A progress bar that ends in a carriage return before the answer to `initialize` and to `tools/list`. */
  progressBar: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer) => {
        writeOut('loading  50%\rloading 100%\r');
        writeMessage(answer);
      },
    }),

  /** Log records in JSON that are no protocol messages. */
  jsonLog: () => {
    writeOut('{"level":"info","msg":"starting"}\n[1,2,3]\n"text"\n');
    serveStdio(ECHO_OFFER);
  },

  bom: () => {
    let first = true;
    serveStdio(ECHO_OFFER, {
      write: (answer) => {
        if (first) writeOut(BOM);
        first = false;
        writeMessage(answer);
      },
    });
  },

  /** A byte-order mark on a line of its own. */
  bomLine: () => {
    writeOut(Buffer.concat([BOM, Buffer.from('\n')]));
    serveStdio(ECHO_OFFER);
  },

  /** A byte-order mark before the first message, after a line of text. */
  bomAfterText: () => {
    writeOut(Buffer.concat([Buffer.from('starting\n'), BOM]));
    serveStdio(ECHO_OFFER);
  },

  /** A call is answered with an array that holds nothing. */
  emptyBatch: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method === 'tools/call') writeOut('[]\n');
        else writeMessage(answer);
      },
    }),

  crlf: () => serveStdio(UNICODE_OFFER, { write: (answer) => writeOut(`${JSON.stringify(answer)}\r\n`) }),

  blank: () => serveStdio(UNICODE_OFFER, { write: (answer) => writeOut(`\n\r\n${JSON.stringify(answer)}\n\n`) }),

  splitUtf8: () => serveStdio(UNICODE_OFFER, { write: (answer) => dribble(`${JSON.stringify(answer)}\n`) }),

  /** The answer to a call holds a byte that is no UTF-8, inside a string. */
  badUtf8: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method !== 'tools/call') return writeMessage(answer);
        const [head, tail] = JSON.stringify({ ...answer, result: textResult('A@B') }).split('@');
        writeOut(Buffer.concat([Buffer.from(head ?? ''), Buffer.from([0xff]), Buffer.from(tail ?? ''), Buffer.from('\n')]));
      },
    }),

  /** Bytes that are no UTF-8 before anything was answered. */
  badUtf8AtStart: () => {
    writeOut(Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x0a]));
    serveStdio(ECHO_OFFER);
  },

  /** A tool whose answer is one long line (11 MiB, or `bytes`). */
  bigLine: () => serveStdio(BIG_OFFER),

  /** Answers a call, writes no newline after it and leaves. */
  noNewlineExit: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method !== 'tools/call') return writeMessage(answer);
        writeOut(JSON.stringify(answer));
        process.exit(0);
      },
    }),

  /** Claims to answer a call, with neither a result nor an error. */
  malformedAnswer: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method !== 'tools/call') return writeMessage(answer);
        writeOut(`{"jsonrpc":"2.0","id":${JSON.stringify(answer.id)}}\n`);
      },
    }),

  /** Answers a call glued to text that stands before it in the same line. */
  gluedAnswer: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method === 'tools/call') writeOut('debug: calling\r');
        writeMessage(answer);
      },
    }),

  /** Writes 4 MiB to stderr before it answers anything. */
  stderrFlood: () => {
    for (let line = 0; line < 4096; line += 1) writeErr(`${String(line).padStart(6, '0')} ${'noise '.repeat(170)}\n`);
    writeErr('last words\n');
    serveStdio(ECHO_OFFER);
  },

  /** Writes 1 MiB to stderr without a single newline. */
  stderrFloodNoNl: () => {
    for (let block = 0; block < 256; block += 1) writeErr('n'.repeat(4096));
    serveStdio(ECHO_OFFER);
  },

  /** Lists a tool whose schema is 10,000 objects deep, beside a good one. */
  veryDeep: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        if (request.method !== 'tools/list') return writeMessage(answer);
        const levels = 10_000;
        const schema = `${'{"type":"object","properties":{"inner":'.repeat(levels)}{}${'}}'.repeat(levels)}`;
        const echo = JSON.stringify(ECHO_OFFER.tools[0]);
        const tools = `[{"name":"very_deep","inputSchema":${schema}},${echo}]`;
        writeOut(`{"jsonrpc":"2.0","id":${JSON.stringify(answer.id)},"result":{"tools":${tools}}}\n`);
      },
    }),

  /** Answers with ids turned to strings. */
  stringIds: () => serveStdio(ECHO_OFFER, { write: (answer) => writeMessage({ ...answer, id: String(answer.id) }) }),

  /** Answers everything twice, and an id that nobody asked for. */
  doubled: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer) => {
        writeMessage(answer);
        writeMessage(answer);
        writeMessage({ jsonrpc: '2.0', id: 987_654, result: {} });
      },
    }),

  /** Logs before the handshake is over, at levels that do not exist, and pings the client. */
  earlyNotifications: () => {
    serveAndTellAnswers();
    writeMessage({ jsonrpc: '2.0', id: 'ping-1', method: 'ping' });
    writeMessage({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'warn', data: 'odd level' } });
    writeMessage({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } });
  },
};

/** Serves, and says on stderr what the client answered to its own requests. */
function serveAndTellAnswers() {
  serveStdio(ECHO_OFFER, {
    before: (message) => {
      if (message.method !== undefined) return false;
      writeErr(`client answered ${JSON.stringify(message)}\n`);
      return true;
    },
  });
}
