import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInvalidUtf8, Utf8Check } from './utf8';

const decodes = (part: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part);
    return true;
  } catch {
    return false;
  }
};

/** Bytes that are mostly text, so that what is wrong stands deep in it. */
const bytes = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => Buffer.from(text)), fc.uint8Array({ maxLength: 2 })), { maxLength: 12 })
  .map((parts) => Buffer.concat(parts));

function checkInPieces(stream: Buffer, size: number) {
  const check = new Utf8Check();
  for (let from = 0; from < stream.length; from += size) {
    const invalid = check.push(stream.subarray(from, from + size));
    if (invalid !== null) return invalid;
  }
  return check.isInsideCharacter ? 'cut off' : null;
}

describe('findInvalidUtf8', () => {
  it('agrees with a strict decoder on any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), bytes), (stream) => {
        const at = findInvalidUtf8(stream);
        expect(at === -1).toBe(decodes(stream));
        if (at !== -1) expect(decodes(stream.subarray(0, at))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('Utf8Check', () => {
  it('finds the same byte wherever the stream is cut, and takes no split character for a fault', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 9 }), (stream, size) => {
        const found = checkInPieces(stream, size);
        const at = findInvalidUtf8(stream);
        if (found === null) expect(at).toBe(-1);
        else if (found === 'cut off') expect(stream.length - at).toBeLessThan(4);
        else expect(found).toEqual({ offset: at, byte: stream[at] });
      }),
      { numRuns: 500 },
    );
  });

  it('says at which byte of the stream, and at once', () => {
    const check = new Utf8Check();
    expect(check.push(Buffer.from('a🦊ü\n'))).toBeNull();
    expect(check.push(Buffer.from([0x41, 0xff, 0x42]))).toEqual({ byte: 0xff, offset: 9 });
    const split = new Utf8Check();
    expect(split.push(Buffer.from([0x61, 0xf0, 0x9f]))).toBeNull();
    expect(split.isInsideCharacter).toBe(true);
    expect(split.push(Buffer.from([0x41]))).toEqual({ byte: 0xf0, offset: 1 });
  });
});
