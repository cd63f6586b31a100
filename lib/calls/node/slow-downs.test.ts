import { describe, expect, it } from 'vitest';
import { SlowDowns } from './slow-downs';

const never = new AbortController().signal;
const ignore = () => undefined;

describe('SlowDowns', () => {
  it('holds for all calls of a server, and for no other', async () => {
    const slowDowns = new SlowDowns({ now: () => 0 });
    slowDowns.note('a', 5_000);
    expect(await slowDowns.wait('a', 1_000, ignore, never)).toEqual({ kind: 'too_long', waitMs: 5_000 });
    expect(await slowDowns.wait('b', 1_000, ignore, never)).toEqual({ kind: 'ready' });
  });

  it('takes the longest time that was named', async () => {
    const slowDowns = new SlowDowns({ now: () => 0 });
    slowDowns.note('a', 5_000);
    slowDowns.note('a', 1_000);
    expect(await slowDowns.wait('a', 0, ignore, never)).toEqual({ kind: 'too_long', waitMs: 5_000 });
  });

  it('waits ever longer where no time is named, once for calls that were refused together', async () => {
    let now = 0;
    const slowDowns = new SlowDowns({ now: () => now });
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      for (let calls = 0; calls < 20; calls += 1) slowDowns.note('a', undefined);
      const readiness = await slowDowns.wait('a', 0, ignore, never);
      if (readiness.kind !== 'too_long') throw new Error(readiness.kind);
      waits.push(readiness.waitMs);
      now += readiness.waitMs;
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    slowDowns.clear('a');
    slowDowns.note('a', undefined);
    expect(await slowDowns.wait('a', 0, ignore, never)).toEqual({ kind: 'too_long', waitMs: 1_000 });
  });

  it('lets those who waited go at different times, and looks again', async () => {
    const began = Date.now();
    let random = 0;
    const slowDowns = new SlowDowns({ now: () => Date.now() }, () => (random += 0.4));
    slowDowns.note('a', 100);
    const told: number[] = [];
    const went = await Promise.all([1, 2].map(async () => {
      await slowDowns.wait('a', 10_000, (waitMs) => told.push(waitMs), never);
      return Date.now() - began;
    }));
    expect(told).toHaveLength(2);
    expect(went[0]).toBeGreaterThanOrEqual(99);
    expect((went[1] ?? 0) - (went[0] ?? 0)).toBeGreaterThan(100);
  });

  it('ends with the signal', async () => {
    const slowDowns = new SlowDowns({ now: () => Date.now() });
    slowDowns.note('a', 60_000);
    expect(await slowDowns.wait('a', 900_000, ignore, AbortSignal.timeout(50))).toEqual({ kind: 'stopped' });
  });
});
