import { isUtf8 } from 'node:buffer';

/** A byte that is no UTF-8, and where it stands in the stream. */
export interface InvalidByte {
  readonly byte: number;
  readonly offset: number;
}

/** `byte 0xFF at offset 12`. */
export const describeInvalid = ({ byte, offset }: InvalidByte): string => `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} at offset ${offset}`;

/** What came is no UTF-8: none of it from there on can be read as the sender meant it. */
export class NotUtf8 extends Error {
  /** Which byte it is, and where. */
  readonly where: string;

  constructor(invalid: InvalidByte) {
    const where = describeInvalid(invalid);
    super(`it is not UTF-8 (${where})`);
    this.name = 'NotUtf8';
    this.where = where;
  }
}

const NOTHING = Buffer.alloc(0);

/** Finds the first byte of a stream that is no UTF-8, as it comes; a character that is split over two reads is one. */
export class Utf8Check {
  /** The beginning of a character whose other bytes have not come yet: three bytes at most. */
  private begun: Buffer = NOTHING;
  private checkedBytes = 0;

  push(chunk: Buffer): InvalidByte | null {
    const bytes = this.begun.length === 0 ? chunk : Buffer.concat([this.begun, chunk]);
    const cutAt = findCutCharacter(bytes);
    const whole = bytes.subarray(0, cutAt);
    const invalidAt = findInvalidUtf8(whole);
    if (invalidAt !== -1) return { byte: whole[invalidAt] ?? 0, offset: this.checkedBytes + invalidAt };
    this.begun = cutAt === bytes.length ? NOTHING : Buffer.from(bytes.subarray(cutAt));
    this.checkedBytes += cutAt;
    return null;
  }

  /** Whether a character has begun and not ended. */
  get isInsideCharacter(): boolean {
    return this.begun.length > 0;
  }
}

/** The index of the first byte that is no UTF-8, -1 where all is. A character that is cut off at the end counts. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return -1;
  let at = 0;
  while (at < bytes.length) {
    const length = lengthOfCharacter(bytes, at);
    if (length <= 0) return at;
    at += length;
  }
  return -1;
}

/** Where a character begins that is well-formed as far as it goes and lacks bytes; the length where there is none. */
function findCutCharacter(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 3; at -= 1) {
    const isTail = ((bytes[at] ?? 0) & 0xc0) === 0x80;
    if (!isTail) return lengthOfCharacter(bytes, at) === CUT_OFF ? at : bytes.length;
  }
  return bytes.length;
}

const CUT_OFF = -1;

/** Bytes of the well-formed character at `at` (Unicode, table 3-7); 0 where there is none, CUT_OFF where the bytes end in it. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first <= 0x7f) return 1;
  const length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return CUT_OFF;
    const low = index > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = index > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) return 0;
  }
  return length;
}
