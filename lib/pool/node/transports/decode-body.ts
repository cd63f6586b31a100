import { pipeline, Readable, Transform, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What is asked for; nothing else is decoded. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';
/** A body is encoded once; more than a few times is somebody's joke. */
const MOST_ENCODINGS = 3;

/** The body of an answer is not what its Content-Encoding says, or one that was not asked for. */
export class DecodeFailure extends Error {
  constructor(readonly encoding: string, why: string, cause?: unknown) {
    super(`its answer is labelled ${encoding} and cannot be decoded: ${why}`, { cause });
    this.name = 'DecodeFailure';
  }
}

/**
 * The body as it was before its Content-Encoding; decodes as it comes, so that events of a stream are not held back.
 * What cannot be decoded ends the reading with a `DecodeFailure`.
 */
export function decodeBody(body: Readable, encoding: string | null): Readable {
  const labels = (encoding ?? '').split(',').map((label) => label.trim().toLowerCase()).filter((label) => label !== '' && label !== 'identity');
  if (labels.length > MOST_ENCODINGS) return refuse(body, (encoding ?? '').slice(0, 100), 'it is encoded too many times over');
  // The last that was applied is undone first.
  return labels.reduceRight<Readable>((decoded, label) => decode(decoded, label), body);
}

function decode(body: Readable, label: string): Readable {
  switch (label) {
    case 'gzip':
    case 'x-gzip':
      return through(body, createGunzip({ flush: constants.Z_SYNC_FLUSH }), label);
    case 'deflate':
      return through(body, createAnyInflate(), label);
    case 'br':
      return through(body, createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }), label);
    default:
      return refuse(body, label.slice(0, 100), 'that was not asked for');
  }
}

function refuse(body: Readable, label: string, why: string): Readable {
  return new Readable({
    read() {
      body.destroy();
      this.destroy(new DecodeFailure(label, why));
    },
  });
}

function through(body: Readable, decoder: Duplex, label: string): Readable {
  let bodyError: Error | null = null;
  body.once('error', (error) => (bodyError = error));
  const decoded = new Transform({ transform: (chunk, _, done) => done(null, chunk) });
  // What goes wrong is seen by whoever reads what was decoded.
  pipeline(body, decoder, () => undefined);
  decoder.once('error', (error) => decoded.destroy(bodyError ?? new DecodeFailure(label, error.message, error)));
  decoder.pipe(decoded);
  decoded.once('close', () => {
    if (!decoder.destroyed) decoder.destroy();
    if (!body.destroyed) body.destroy();
  });
  return decoded;
}

/** `deflate` means the zlib format, and many servers send the bare one: the first byte tells. */
function createAnyInflate(): Duplex {
  let inflate: Duplex | null = null;
  const settings = { flush: constants.Z_SYNC_FLUSH };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (inflate === null) {
        inflate = ((chunk[0] ?? 0) & 0x0f) === 0x08 ? createInflate(settings) : createInflateRaw(settings);
        inflate.on('data', (data) => this.push(data));
        inflate.once('error', (error) => this.destroy(error));
      }
      inflate.write(chunk, () => done());
    },
    flush(done) {
      if (inflate === null) return done();
      inflate.once('end', () => done());
      inflate.end();
    },
  });
}
