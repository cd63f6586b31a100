import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '@/lib/core';
import { JsonScrubber } from './scrub-stream';

const redactor = new Redactor(['hunter2 and more']);

function scrub(json: string, sizes: readonly number[]): string {
  const scrubber = new JsonScrubber(redactor);
  let out = '';
  for (let at = 0, turn = 0; at < json.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    out += scrubber.push(json.slice(at, at + size));
    at += size;
  }
  return out + scrubber.end();
}

const expected = (value: unknown): string => JSON.stringify(redactor.value(value));

describe('a value that is scrubbed as it is read', () => {
  it('comes out as if it were scrubbed whole, wherever it is cut', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('hunter2 and more', 'Bearer abcdefghijkl', 'say "x" \\ \n é 😀 \ud800', 'https://x.example/?sig=abcdef&a=1'));
    const names = fc.oneof(fc.string(), fc.constantFrom('password', 'apiKey', 'text', '"'));
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 4 }, text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), fc.array(tie('node'), { maxLength: 5 }), fc.dictionary(names, tie('node'), { maxKeys: 5 })),
    })).node;
    fc.assert(
      fc.property(value, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (made, sizes) => {
        const json = JSON.stringify(made);
        expect(scrub(json, sizes)).toBe(expected(JSON.parse(json)));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, (filler: string) => unknown]>([
    ['a long text with secrets all over', (filler) => ({ content: [{ type: 'text', text: `${filler} Bearer abcdefghijklmnop hunter2 and more\n`.repeat(12) }] })],
    ['a long text in a field of a secret name', (filler) => ({ password: filler.repeat(12), token: 7, secret: null, other: ['x', { api_key: filler }] })],
    ['a long text without a blank', (filler) => [filler.replaceAll(' ', '').repeat(12), 'end']],
    ['a long token', (filler) => `Bearer ${filler.replaceAll(/[^a-z]/g, '').repeat(12)} and on`],
    ['a long text of escapes', (filler) => `${'"\\\n😀'.repeat(40_000)}${filler}`.repeat(4)],
  ])('keeps %s as it would be scrubbed whole', (_name, make) => {
    const made = make('The quick brown fox é '.repeat(6000));
    expect(scrub(JSON.stringify(made), [64 * 1024]) === expected(made)).toBe(true);
    expect(scrub(JSON.stringify(made), [65_537, 1, 33]) === expected(made)).toBe(true);
  });
});
