import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration } from './duration';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'], [0.4, '0 ms'], [84, '84 ms'], [999, '999 ms'], [999.6, '1 s'],
    [SECOND, '1 s'], [3100, '3.1 s'], [20 * SECOND, '20 s'], [20_040, '20 s'], [59_900, '59.9 s'], [59_960, '1 min'],
    [MINUTE, '1 min'], [2 * MINUTE, '2 min'], [2 * MINUTE + 5 * SECOND, '2 min 5 s'], [10 * MINUTE, '10 min'],
    [HOUR, '1 h'], [HOUR + 4 * MINUTE, '1 h 4 min'], [24 * HOUR, '24 h'],
  ])('of %d ms says %s', (ms, said) => expect(formatDuration(ms)).toBe(said));

  it('never says a part that is nothing, nor more of a unit than the next one up holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ min: 0, max: 100 * HOUR, noNaN: true }), fc.integer({ min: 0, max: 100 * HOUR })), (ms) => {
        const said = formatDuration(ms);
        expect(said).toMatch(/^(\d{1,3} ms|[1-9]\d?(\.[1-9])? s|[1-9]\d? min( [1-9]\d? s)?|[1-9]\d* h( [1-9]\d? min)?)$/);
        expect(said).not.toMatch(/\b(?:[6-9]\d)(?:\.\d)? (?:s|min)\b/);
      }),
    );
  });
});
