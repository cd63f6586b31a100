import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListFollower } from './list-follower';
import type { Link } from '../set-up/negotiate';

// All that a follower uses of a link in the legacy era.
const link = { seam: { isModern: false } } as unknown as Link;

/** Counts the reads; `whileReading` runs in each of them. */
function follow(whileReading: (follower: ListFollower) => void = () => undefined) {
  const reads: number[] = [];
  const follower: ListFollower = new ListFollower(link, async () => {
    reads.push(performance.now());
    whileReading(follower);
    await Promise.resolve();
  });
  return { follower, reads };
}

describe('following the lists of a server', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('reads changes that come together once, and is not put off by the ones after', async () => {
    const { follower, reads } = follow();
    follower.start();
    for (let count = 0; count < 40; count += 1) {
      follower.mark();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(reads.length).toBeGreaterThanOrEqual(1);
    expect(reads.length).toBeLessThanOrEqual(2);
    await vi.advanceTimersByTimeAsync(60_000);
    const settled = reads.length;
    follower.mark();
    await vi.advanceTimersByTimeAsync(400);
    expect(reads).toHaveLength(settled + 1);
  });

  it('reads what changed before it began, and what changes while it reads', async () => {
    let isFirst = true;
    const { follower, reads } = follow((again) => {
      if (isFirst) again.mark();
      isFirst = false;
    });
    follower.mark();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads).toEqual([]);
    follower.start();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reads).toHaveLength(2);
  });

  it('is patient with a server that says so at each reading, and never stops following it', async () => {
    const { follower, reads } = follow((again) => again.mark());
    follower.start();
    follower.mark();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(reads.length).toBeLessThan(40);
    const sofar = reads.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads.length).toBeGreaterThan(sofar);
    follower.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(reads.length).toBeLessThan(sofar + 4);
  });
});
