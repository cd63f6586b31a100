import { err, ok, type Result } from '@/lib/core';

/** Bytes to look for; null is any byte. */
export interface BytePattern {
  readonly bytes: readonly (number | null)[];
  /** The longest run without a wildcard, and where in the pattern it begins. */
  readonly anchor: Buffer;
  readonly anchorAt: number;
  readonly written: string;
}

/** Reads `4d 5a ?? 00`; the error is the end of a sentence that begins with the argument's name. */
export function parseHexPattern(text: string): Result<BytePattern, string> {
  const compact = text.replace(/\s+/g, '').toLowerCase();
  if (compact === '') return err('there is nothing to look for.');
  const strange = /[^0-9a-f?]/.exec(compact);
  if (strange) return err(`${JSON.stringify(strange[0])} is no hexadecimal digit.`);
  if (compact.length % 2 === 1) return err('it has half a byte at the end: two digits make a byte.');
  const pairs = compact.match(/../g) ?? [];
  const half = pairs.find((pair) => pair.includes('?') && pair !== '??');
  if (half !== undefined) return err(`"${half}" mixes a digit with a wildcard: ?? stands for a whole byte.`);
  const bytes = pairs.map((pair) => (pair === '??' ? null : Number.parseInt(pair, 16)));
  const { anchor, anchorAt } = findAnchor(bytes);
  if (anchor.length === 0) return err('it holds wildcards only and would be found everywhere.');
  return ok({ bytes, anchor, anchorAt, written: pairs.join(' ') });
}

function findAnchor(bytes: readonly (number | null)[]): { anchor: Buffer; anchorAt: number } {
  let best: { anchorAt: number; run: number[] } = { anchorAt: 0, run: [] };
  let run: number[] = [];
  bytes.forEach((byte, index) => {
    run = byte === null ? [] : [...run, byte];
    if (run.length > best.run.length) best = { anchorAt: index - run.length + 1, run };
  });
  return { anchor: Buffer.from(best.run), anchorAt: best.anchorAt };
}

/**
 * Where the pattern stands, overlapping places included: the first `most` offsets, and how many there are.
 * Holds one chunk and a pattern's length.
 */
export async function findPattern(
  chunks: AsyncIterable<Buffer>,
  { bytes, anchor, anchorAt }: BytePattern,
  most: number,
): Promise<{ offsets: number[]; total: number }> {
  const offsets: number[] = [];
  let total = 0;
  let rest = Buffer.alloc(0);
  let restAt = 0;
  for await (const chunk of chunks) {
    const window = Buffer.concat([rest, chunk]);
    const lastStart = window.length - bytes.length;
    for (let found = window.indexOf(anchor, anchorAt); found !== -1; found = window.indexOf(anchor, found + 1)) {
      const start = found - anchorAt;
      if (start > lastStart) break;
      if (!bytes.every((byte, index) => byte === null || window[start + index] === byte)) continue;
      if (total < most) offsets.push(restAt + start);
      total += 1;
    }
    const kept = Math.min(window.length, bytes.length - 1);
    restAt += window.length - kept;
    rest = Buffer.from(window.subarray(window.length - kept));
  }
  return { offsets, total };
}
