import { isUtf8 } from 'node:buffer';

/** The index of the first byte that is no UTF-8, -1 where all is. A character that is cut off at the end counts. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return -1;
  let at = 0;
  while (at < bytes.length) {
    const length = lengthOfCharacter(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Bytes of the well-formed character at `at` (Unicode, table 3-7); 0 where there is none. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const isTail = (index: number, low = 0x80, high = 0xbf) => {
    const byte = bytes[index] ?? 0;
    return byte >= low && byte <= high;
  };
  if (first <= 0x7f) return 1;
  if (first >= 0xc2 && first <= 0xdf) return isTail(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return isTail(at + 1, low, high) && isTail(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const low = first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xf4 ? 0x8f : 0xbf;
    return isTail(at + 1, low, high) && isTail(at + 2) && isTail(at + 3) ? 4 : 0;
  }
  return 0;
}
