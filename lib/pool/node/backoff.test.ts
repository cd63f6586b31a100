import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideWaitMs, DEFAULT_BACKOFF, LONGEST_ASKED_MS } from './backoff';

it('grows with each failure, within bounds, and never to nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const waitMs = decideWaitMs(failures, DEFAULT_BACKOFF, random);
      expect(waitMs).toBeGreaterThanOrEqual(DEFAULT_BACKOFF.firstMs / 2);
      expect(waitMs).toBeLessThanOrEqual(DEFAULT_BACKOFF.longestMs);
    }),
  );
  expect([1, 2, 3, 4].map((failures) => decideWaitMs(failures, DEFAULT_BACKOFF, 1))).toEqual([1000, 2000, 4000, 8000]);
});

it('is never shorter than what the server asks for, within an hour', () => {
  expect(decideWaitMs(1, DEFAULT_BACKOFF, 0, 37_000)).toBe(37_000);
  expect(decideWaitMs(20, DEFAULT_BACKOFF, 1, 37_000)).toBe(300_000);
  expect(decideWaitMs(1, DEFAULT_BACKOFF, 0, 365 * 86_400_000)).toBe(LONGEST_ASKED_MS);
});
