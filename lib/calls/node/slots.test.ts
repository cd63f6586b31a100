import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slots, type Slot } from './slots';

const never = new AbortController().signal;

describe('slots', () => {
  it('are never more than the cap, and are given in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (cap, aborts) => {
        const slots = new Slots();
        const started: number[] = [];
        let inFlight = 0;
        let most = 0;
        await Promise.all(
          aborts.map(async (aborted, index) => {
            const abort = new AbortController();
            const taken = slots.take('a', cap, () => undefined, abort.signal);
            if (aborted) abort.abort();
            const slot = await taken;
            if (slot === undefined) return;
            started.push(index);
            most = Math.max(most, (inFlight += 1));
            await Promise.resolve();
            inFlight -= 1;
            slot.release();
            slot.release();
          }),
        );
        expect(most).toBeLessThanOrEqual(cap);
        expect(started).toEqual([...started].sort((a, b) => a - b));
        expect(slots.load('a')).toEqual({ inFlight: 0, queued: 0 });
      }),
    );
  });

  it('say how many wait ahead, and do not cap where the cap is 0', async () => {
    const slots = new Slots();
    const ahead: number[] = [];
    const first = await slots.take('a', 1, (count) => ahead.push(count), never);
    const waiting: Promise<Slot | undefined>[] = [1, 2].map(() => slots.take('a', 1, (count) => ahead.push(count), never));
    expect(ahead).toEqual([0, 1]);
    expect(slots.load('a')).toEqual({ inFlight: 1, queued: 2 });
    first?.release();
    (await waiting[0])?.release();
    (await waiting[1])?.release();
    const unbounded = await Promise.all(Array.from({ length: 50 }, () => slots.take('b', 0, (count) => ahead.push(count), never)));
    expect(unbounded.every((slot) => slot !== undefined)).toBe(true);
    expect(ahead).toHaveLength(2);
  });

  it('are not given to a call that is stopped already', async () => {
    const slots = new Slots();
    expect(await slots.take('a', 1, () => undefined, AbortSignal.abort())).toBeUndefined();
    expect(slots.load('a')).toEqual({ inFlight: 0, queued: 0 });
  });
});
