import { createGunzip } from 'node:zlib';

import { KiB } from '@/lib/core';

import type { AnalysedFile } from '../open-file';

/** Bytes in order, read as they are asked for. */
export interface ByteSource {
  /** Up to `length` bytes; fewer only at the end. */
  read(length: number): Promise<Buffer>;
  /** Passes over bytes; answers how many there were. */
  skip(length: number): Promise<number>;
  close(): void;
}

/** A file as it stands: passing over costs nothing. */
export function fileSource(file: AnalysedFile): ByteSource {
  let position = 0;
  return {
    async read(length) {
      const bytes = await file.read(position, length);
      position += bytes.length;
      return bytes;
    },
    async skip(length) {
      const passed = Math.min(length, Math.max(0, file.sizeBytes - position));
      position += passed;
      return passed;
    },
    close: () => undefined,
  };
}

/** Ends the reading of a stream that inflates to more than is worth waiting for. */
export class TooMuchData extends Error {}

/**
 * What a gzip file inflates to, never holding more than a few chunks of it.
 *
 * @throws TooMuchData once more than `mostBytes` were asked for; Error where the compressed data is damaged
 */
export function gunzipSource(file: AnalysedFile, mostBytes: number): ByteSource {
  const gunzip = createGunzip({ chunkSize: 256 * KiB });
  const chunks = inflated(file, gunzip);
  let current: Buffer = Buffer.alloc(0);
  let inflatedBytes = 0;

  /** The next piece of at most `length` bytes; empty at the end. */
  const next = async (length: number): Promise<Buffer> => {
    while (current.length === 0) {
      const step = await chunks.next();
      if (step.done === true) return current;
      inflatedBytes += step.value.length;
      if (inflatedBytes > mostBytes) throw new TooMuchData(`it inflates to more than ${mostBytes} bytes`);
      current = step.value;
    }
    const piece = current.subarray(0, length);
    current = current.subarray(piece.length);
    return piece;
  };
  return {
    async read(length) {
      const pieces: Buffer[] = [];
      let missing = length;
      while (missing > 0) {
        const piece = await next(missing);
        if (piece.length === 0) break;
        pieces.push(piece);
        missing -= piece.length;
      }
      return Buffer.concat(pieces);
    },
    async skip(length) {
      let passed = 0;
      while (passed < length) {
        const piece = await next(length - passed);
        if (piece.length === 0) break;
        passed += piece.length;
      }
      return passed;
    },
    close: () => gunzip.destroy(),
  };
}

async function* inflated(file: AnalysedFile, gunzip: ReturnType<typeof createGunzip>): AsyncGenerator<Buffer> {
  const feeding = feed(file, gunzip);
  // The reader of the stream reports the failure; nobody waits for the feeding itself.
  feeding.catch((cause: unknown) => gunzip.destroy(cause instanceof Error ? cause : new Error(String(cause))));
  for await (const chunk of gunzip) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}

async function feed(file: AnalysedFile, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  for await (const chunk of file.chunks()) {
    if (gunzip.destroyed) return;
    // The file's chunk is reused for the next read, and the stream may still hold it.
    if (!gunzip.write(Buffer.from(chunk))) await drained(gunzip);
  }
  gunzip.end();
}

const drained = (gunzip: ReturnType<typeof createGunzip>): Promise<void> =>
  new Promise((resolve) => {
    const settle = () => {
      gunzip.off('drain', settle).off('close', settle);
      resolve();
    };
    gunzip.on('drain', settle).on('close', settle);
  });
