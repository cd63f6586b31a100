import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader, type ReadLine } from './line-reader';

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

  it('lets an oversize line go with its size and whose message it is, and reads its neighbours', () => {
    const long = `{"jsonrpc":"2.0","result":{"text":"${'x'.repeat(50_000)}"},"id":7}`;
    const lines = readInPieces(Buffer.from(`a\n${long}\nb\n`), [1000], 10_000);
    expect(toTexts(lines)).toEqual(['a', null, 'b']);
    expect(lines[1]).toMatchObject({
      kind: 'oversize', sizeBytes: long.length, isEndless: false, message: { claimsProtocol: true, id: 7, hasMethod: false }, begin: Buffer.from(long.slice(0, 2_000)),
    });
  });

  it('measures each oversize line wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1 }), (lengths, sizes) => {
        const bytes = Buffer.from(lengths.map((length) => `${'y'.repeat(length)}\n`).join(''));
        const told = readInPieces(bytes, sizes, 100).map((line) => (line.kind === 'line' ? line.bytes.length : line.sizeBytes));
        expect(told).toEqual(lengths.filter((length) => length > 0));
      }),
    );
  });

  it('tells a line without end once, when no one would wait for more of it', () => {
    const reader = new LineReader(1_000);
    expect(reader.push(Buffer.from('{"jsonrpc":"2.0","id":3,"result":"'))).toEqual([]);
    const told = Array.from({ length: 100 }, () => reader.push(Buffer.alloc(1_000, 'x'))).flat();
    expect(told).toMatchObject([{ kind: 'oversize', isEndless: true, message: { id: 3 } }]);
    expect(toTexts(reader.push(Buffer.from('"}\nnext\n')))).toEqual(['next']);
  });

  it('keeps the lines of one read apart in memory', () => {
    const reader = new LineReader(1_000);
    reader.push(Buffer.from('first '));
    const lines = reader.push(Buffer.from('line\nsecond\nthird '));
    reader.push(Buffer.from('overwrites nothing'));
    expect(toTexts(lines)).toEqual(['first line', 'second']);
  });

  it('holds one line of the limit at most, whatever the size of its pieces', () => {
    const reader = new LineReader(4_000_000);
    const piece = Buffer.from('z');
    const before = process.memoryUsage();
    for (let count = 0; count < 3_900_000; count += 1) reader.push(piece);
    const after = process.memoryUsage();
    expect(after.rss - before.rss).toBeLessThan(100 * 1_048_576);
    expect(reader.push(Buffer.from('\n'))).toMatchObject([{ kind: 'line', bytes: { length: 3_900_000 } }]);
  });

  it('stays flat under a line that never ends', () => {
    const reader = new LineReader(1_048_576);
    const piece = Buffer.alloc(65_536, 'x');
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 6_400; count += 1) reader.push(piece);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });

  it('needs time in proportion to the length of a line', () => {
    const read = (mebibytes: number) => {
      const reader = new LineReader(128 * 1_048_576);
      const piece = Buffer.alloc(65_536, 'x');
      const beganAt = process.cpuUsage();
      for (let count = 0; count < mebibytes * 16; count += 1) reader.push(piece);
      const [line] = reader.push(Buffer.from('\n'));
      expect(line?.kind === 'line' && line.bytes.length).toBe(mebibytes * 1_048_576);
      return process.cpuUsage(beganAt).user;
    };
    read(9);
    // A reader that joins all it has at each read takes 64 times as long for eight times the bytes.
    expect(read(72)).toBeLessThan(40 * Math.max(read(9), 2_000));
  });
});
