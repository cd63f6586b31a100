import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The body as it was before its Content-Encoding; decodes as it comes, so that events of a stream are not held back. */
export function decodeBody(body: Readable, encoding: string | null): Readable {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return through(body, createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }));
    case 'deflate':
      return through(body, createInflate({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }));
    case 'br':
      return through(body, createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }));
    default:
      body.destroy();
      throw new Error(`the answer is encoded as ${encoding}, which was not asked for`);
  }
}

function through(body: Readable, decoder: NodeJS.ReadWriteStream & Readable): Readable {
  // What goes wrong is seen by whoever reads the decoder.
  pipeline(body, decoder, () => undefined);
  return decoder;
}
