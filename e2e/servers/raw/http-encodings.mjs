// Modes of raw-http: answers that are encoded, or say so.
import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** @typedef {import('../raw-http.mjs').Hook} Hook */

/**
 * Encodes the answers to one method.
 * @param {string} method @param {string} label of the Content-Encoding @param {(body: Buffer) => Buffer} encode
 * @returns {() => Hook}
 */
const encoding = (method, label, encode) => () => async ({ request, response, answer }) => {
  if (request.message?.method !== method) return false;
  const body = encode(Buffer.from(JSON.stringify(await answer())));
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': label }).end(body);
  return true;
};

/** @param {string} label @param {(body: Buffer) => Buffer} encode */
const onCall = (label, encode) => encoding('tools/call', label, encode);

const ZEROS = 64 * 1024 * 1024;

/** @type {Record<string, () => Hook>} */
export const ENCODING_MODES = {
  encodedGzip: onCall('gzip', (body) => gzipSync(body)),
  encodedBr: onCall('br', (body) => brotliCompressSync(body)),
  encodedDeflate: onCall('deflate', (body) => deflateSync(body)),
  /** Without the frame that `deflate` means by the letter. */
  encodedDeflateRaw: onCall('deflate', (body) => deflateRawSync(body)),
  encodedTwice: onCall('gzip, gzip', (body) => gzipSync(gzipSync(body))),
  encodedIdentity: onCall('identity', (body) => body),
  /** Says gzip and is none. */
  encodedGarbage: onCall('gzip', () => Buffer.from('not gzip at all')),
  encodedTruncated: onCall('gzip', (body) => gzipSync(body).subarray(0, -12)),
  encodedZstd: onCall('zstd', (body) => body),
  encodedUnknown: onCall('rot13', (body) => body),
  /** A small body that becomes a large one; made beforehand, since what making it takes is not the client's memory. */
  encodedBomb: () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(ZEROS)));
    return onCall('gzip, gzip', () => bomb)();
  },
  encodedGarbageList: encoding('tools/list', 'gzip', () => Buffer.from('not gzip at all')),
  encodedZstdHandshake: encoding('initialize', 'zstd', (body) => body),
  /** An event stream in gzip, each event flushed by itself. */
  encodedStream: () => async ({ request, response, answer }) => {
    if (request.message?.method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    gzip.pipe(response);
    const progressToken = request.message.params?._meta?.progressToken;
    gzip.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } })}\n\n`);
    const message = await answer();
    setTimeout(() => gzip.write(`data: ${JSON.stringify(message)}\n\n`), 200);
    return true;
  },
};
