import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StartQueue } from './start-queue';

const never = () => new Promise(() => undefined);

describe('the queue of starts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs so many at a time, in order', async () => {
    const queue = new StartQueue(2, 1_000);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    for (const number of [1, 2, 3, 4]) {
      queue.add(() => {
        begun.push(number);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    }
    expect(begun).toEqual([1, 2]);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([1, 2, 3]);
  });

  it('lets the others go on however many hang', async () => {
    const queue = new StartQueue(2, 1_000);
    let ended = 0;
    for (let hanging = 0; hanging < 10; hanging += 1) queue.add(never);
    for (let well = 0; well < 20; well += 1) queue.add(() => Promise.resolve((ended += 1)));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ended).toBe(20);
  });

  it('counts a place once, whether it was given up or its job ended', async () => {
    const queue = new StartQueue(1, 1_000);
    const begun: string[] = [];
    let endFirst = () => undefined as void;
    queue.add(() => new Promise<void>((resolve) => (endFirst = resolve)));
    for (const name of ['second', 'third']) {
      queue.add(() => {
        begun.push(name);
        return never();
      });
    }
    await vi.advanceTimersByTimeAsync(1_000);
    endFirst();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['second']);
  });
});
