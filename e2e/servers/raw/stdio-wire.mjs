// The two ends of a stdio server, byte by byte.
import { appendFileSync, writeSync } from 'node:fs';
import { answerTo } from './protocol.mjs';

/** @typedef {import('./protocol.mjs').Message} Message */
/** @typedef {import('./protocol.mjs').Offer} Offer */

/** Appends to the file of RAW_WIRE_LOG, where it is set. @param {string | Uint8Array} bytes */
function log(bytes) {
  if (process.env.RAW_WIRE_LOG !== undefined) appendFileSync(process.env.RAW_WIRE_LOG, bytes);
}

/** Writes all of it to fd 1, at once and in order. @param {string | Uint8Array} bytes */
export function writeOut(bytes) {
  log(bytes);
  writeAll(1, typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes);
}

/** Writes all of it to fd 2. @param {string | Uint8Array} bytes */
export function writeErr(bytes) {
  writeAll(2, typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes);
}

/** @param {number} fd @param {Uint8Array} bytes */
function writeAll(fd, bytes) {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      // A full pipe of a descriptor that the parent made non-blocking.
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** @param {unknown} message */
export const writeMessage = (message) => writeOut(`${JSON.stringify(message)}\n`);

/** Calls back with every message that comes in; ends the process when stdin ends. @param {(message: Message) => void} take */
export function readMessages(take, { endWithStdin = true } = {}) {
  let buffered = Buffer.alloc(0);
  process.stdin.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let end = buffered.indexOf(10); end >= 0; end = buffered.indexOf(10)) {
      const line = buffered.subarray(0, end).toString('utf8').trim();
      buffered = buffered.subarray(end + 1);
      if (line === '') continue;
      log(`> ${line}\n`);
      take(JSON.parse(line));
    }
  });
  process.stdin.on('end', () => {
    if (endWithStdin) process.exit(0);
  });
}

/**
 * Serves an offer on stdin and stdout.
 * @param {Offer} offer
 * @param {{ write?: (answer: Message, request: Message) => void, before?: (request: Message) => boolean | void, endWithStdin?: boolean }} [options]
 *   `write` replaces the writing of an answer; `before` sees each message first and answers it itself by returning true
 */
export function serveStdio(offer, { write = writeMessage, before, endWithStdin = true } = {}) {
  /** @type {Map<string | number, AbortController>} */
  const inFlight = new Map();
  readMessages(
    (message) => {
      if (before?.(message) === true) return;
      if (message.method === 'notifications/cancelled') {
        inFlight.get(message.params?.requestId)?.abort();
        return;
      }
      const controller = new AbortController();
      if (message.id !== undefined) inFlight.set(message.id, controller);
      void answerTo(message, offer, {
        id: message.id,
        progressToken: message.params?._meta?.progressToken,
        notify: (method, params) => writeMessage({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }),
        cancelled: controller.signal,
      }).then((answer) => {
        if (answer === null) return;
        if (message.id !== undefined) inFlight.delete(message.id);
        write(answer, message);
      });
    },
    { endWithStdin },
  );
}
