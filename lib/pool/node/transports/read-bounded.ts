import { findInvalidUtf8, NotUtf8 } from './utf8';

/** How much is kept of a body that is over its limit. */
const BEGINNING_BYTES = 2_000;
/** A body is read on past its limit to tell its size, but no further than this: what decompresses without end must end. */
const longestBytes = (limitBytes: number): number => Math.max(limitBytes * 2, limitBytes + 16 * 1024 * 1024);

export interface BoundedBody {
  /** null where the body is over the limit. */
  readonly text: string | null;
  /** The text, or the beginning of one that is over the limit. */
  readonly beginning: string;
  /** As far as it was read. */
  readonly sizeBytes: number;
}

/**
 * Reads a body to its end; keeps its text where it stays within the limit, else its beginning and its size. The text is
 * UTF-8, without a byte-order mark; other bytes are not replaced, but are a fault.
 * @param onSize told how much came, as it comes
 * @throws NotUtf8 where a body within the limit is none
 */
export async function readBounded(response: Response, limitBytes: number, onSize: (sizeBytes: number) => void = () => undefined): Promise<BoundedBody> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let beginning: string | null = null;
  if (response.body === null) return { text: '', beginning: '', sizeBytes };
  // Web streams are async iterable in Node; the DOM's declaration does not say so.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    onSize(sizeBytes);
    if (beginning === null) chunks.push(chunk);
    if (beginning === null && sizeBytes > limitBytes) {
      beginning = toText(Buffer.concat(chunks).subarray(0, Math.min(BEGINNING_BYTES, limitBytes)));
      chunks.length = 0;
    }
    if (sizeBytes > longestBytes(limitBytes)) break;
  }
  if (beginning !== null) return { text: null, beginning, sizeBytes };
  const bytes = Buffer.concat(chunks);
  const invalidAt = findInvalidUtf8(bytes);
  if (invalidAt !== -1) throw new NotUtf8({ byte: bytes[invalidAt] ?? 0, offset: invalidAt });
  const text = toText(bytes);
  return { text, beginning: text, sizeBytes };
}

/** The beginning of a body that nobody waits for to end: read until it is this long, ends, or takes too long. */
export async function readBeginning(response: Response, lengthBytes: number, withinMs: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ readonly done: true; readonly value?: undefined }>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), withinMs);
  });
  try {
    while (sizeBytes < lengthBytes) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) break;
      chunks.push(value);
      sizeBytes += value.byteLength;
    }
  } catch {
    // What came before the break is what there is.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return toText(Buffer.concat(chunks).subarray(0, lengthBytes));
}

const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
