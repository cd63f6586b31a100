import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIdAtEnds, LineReader, type ReadLine } from './line-reader';

/** Feeds the bytes in pieces of the given sizes, the last size repeating. */
function readInPieces(bytes: Buffer, sizes: readonly number[], limitBytes: number): ReadLine[] {
  const reader = new LineReader(limitBytes);
  const lines: ReadLine[] = [];
  let from = 0;
  for (let index = 0; from < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    lines.push(...reader.push(bytes.subarray(from, from + size)));
    from += size;
  }
  return [...lines, ...reader.end()];
}

const toTexts = (lines: readonly ReadLine[]) => lines.map((line) => (line.kind === 'line' ? line.bytes.toString('utf8') : null));

describe('LineReader', () => {
  it('gives the same lines wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 40 })),
        fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1 }),
        (texts, sizes) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
          expect(readInPieces(bytes, sizes, 1000)).toEqual(readInPieces(bytes, [bytes.length || 1], 1000));
        },
      ),
    );
  });

  it('splits at newlines alone, drops one carriage return and empty lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })), fc.integer({ min: 1, max: 9 }), (texts, size) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' ').replace(/\r+$/, ''));
        const bytes = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
        expect(toTexts(readInPieces(bytes, [size], 10_000))).toEqual(lines.filter((line) => line !== ''));
      }),
    );
    expect(toTexts(readInPieces(Buffer.from('a\u2028b\nc'), [3], 100))).toEqual(['a\u2028b', 'c']);
  });

  it('says at which byte of the stream a line begins', () => {
    const lines = readInPieces(Buffer.from('ab\r\n\nxyz\n1'), [2], 100);
    expect(lines.map((line) => line.kind === 'line' && line.offset)).toEqual([0, 5, 9]);
  });

  it('lets an oversize line go with its size and its ends, and reads its neighbours', () => {
    const long = `{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(50_000)}"}`;
    const lines = readInPieces(Buffer.from(`a\n${long}\nb\n`), [1000], 10_000);
    expect(toTexts(lines)).toEqual(['a', null, 'b']);
    const oversize = lines[1];
    if (oversize?.kind !== 'oversize') throw new Error('the long line was not recognised');
    expect(oversize.sizeBytes).toBe(long.length);
    expect(oversize.head.length + oversize.tail.length).toBeLessThanOrEqual(8192);
    expect(findIdAtEnds(oversize.head, oversize.tail)).toBe(7);
  });

  it('reads an id at the end of an oversize message, and none out of its text', () => {
    const head = Buffer.from('{"result":{"content":[{"type":"text","text":"\\"id\\":3,');
    expect(findIdAtEnds(head, Buffer.from('xxxx"}]},"jsonrpc":"2.0","id":12}'))).toBe(12);
    expect(findIdAtEnds(head, Buffer.from('xx"}]},"id":"a-1","jsonrpc":"2.0"}'))).toBe('a-1');
    expect(findIdAtEnds(head, Buffer.from('"id":4 and more text"}]}}'))).toBeNull();
  });
});
