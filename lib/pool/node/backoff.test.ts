import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideWaitMs, DEFAULT_BACKOFF } from './backoff';

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
