import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slots, type Slot } from './slots';

const never = new AbortController().signal;
const request = (fingerprint: string, cap: number, onQueued: (ahead: number) => void = () => undefined, id = 'call') => ({ fingerprint, id, cap: () => cap, onQueued });

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
            const taken = slots.take(request('a', cap), abort.signal);
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
    const first = await slots.take(request('a', 1, (count) => ahead.push(count)), never);
    const waiting: Promise<Slot | undefined>[] = [1, 2].map(() => slots.take(request('a', 1, (count) => ahead.push(count)), never));
    expect(ahead).toEqual([0, 1]);
    expect(slots.load('a')).toEqual({ inFlight: 1, queued: 2 });
    first?.release();
    (await waiting[0])?.release();
    (await waiting[1])?.release();
    const unbounded = await Promise.all(Array.from({ length: 50 }, () => slots.take(request('b', 0, (count) => ahead.push(count)), never)));
    expect(unbounded.every((slot) => slot !== undefined)).toBe(true);
    expect(ahead).toHaveLength(2);
  });

  it('are not given to a call that is stopped already', async () => {
    const slots = new Slots();
    expect(await slots.take(request('a', 1), AbortSignal.abort())).toBeUndefined();
    expect(slots.load('a')).toEqual({ inFlight: 0, queued: 0 });
  });

  it('know the place of each that waits, tell each change, and give more at once when the cap is raised', async () => {
    const changed: string[] = [];
    const slots = new Slots((fingerprint) => changed.push(`${fingerprint} ${JSON.stringify(slots.load(fingerprint))}`));
    let cap = 1;
    const take = (id: string) => slots.take({ fingerprint: 'a', id, cap: () => cap, onQueued: () => undefined }, never);
    const first = await take('one');
    const waiting = ['two', 'three', 'four'].map(take);
    expect(['one', 'two', 'three', 'four'].map((id) => slots.findAhead(id))).toEqual([null, 0, 1, 2]);
    cap = 3;
    first?.release();
    const [two, three, four] = await Promise.all(waiting);
    expect(slots.load('a')).toEqual({ inFlight: 3, queued: 0 });
    for (const slot of [two, three, four]) slot?.release();
    expect(changed).toContain('a {"inFlight":1,"queued":3}');
    expect(changed.at(-1)).toBe('a {"inFlight":0,"queued":0}');
  });
});
