import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callIds } from '@/lib/core';
import { decideAdmission, foldOutcome, FRESH_GUARD, type GuardState, type GuardVerdict } from './guard';

const limits = { failuresToOpen: 3, cooldownMs: 60_000 };
const newTrial = () => ({ callId: callIds.create(), processId: 1, startTicks: '1' });
const alive = () => true;
const gone = () => false;

function fail(state: GuardState, times: number, now = 0): GuardState {
  return Array.from({ length: times }).reduce<GuardState>((before) => foldOutcome(before, callIds.create(), 'unanswered', now, limits), state);
}

describe('the guard of a server', () => {
  it('lets a server rest after as many unanswered calls in a row, not before', () => {
    expect(fail(FRESH_GUARD, 2)).toEqual({ kind: 'working', unanswered: 2 });
    expect(fail(FRESH_GUARD, 3)).toEqual({ kind: 'resting', untilAt: 60_000, unanswered: 3 });
  });

  it('begins to count anew at any answer', () => {
    expect(foldOutcome(fail(FRESH_GUARD, 2), callIds.create(), 'answered', 0, limits)).toEqual(FRESH_GUARD);
  });

  it('refuses while it rests and says until when', () => {
    expect(decideAdmission(fail(FRESH_GUARD, 3), newTrial(), 59_999, alive)).toEqual({ kind: 'refused', untilAt: 60_000 });
  });

  it('admits exactly one trial after the rest', () => {
    const first = newTrial();
    const admission = decideAdmission(fail(FRESH_GUARD, 3), first, 60_000, alive);
    if (admission.kind !== 'admitted') throw new Error('not admitted');
    expect(admission.state).toMatchObject({ kind: 'trying', trial: first });
    expect(decideAdmission(admission.state, newTrial(), 60_001, alive)).toEqual({ kind: 'refused', untilAt: null });
    expect(decideAdmission(admission.state, first, 60_001, alive).kind).toBe('admitted');
    expect(decideAdmission(admission.state, newTrial(), 60_001, gone).kind).toBe('admitted');
  });

  it('is back when the trial is answered, rests in full when it is not, and tries the next when it is abandoned', () => {
    const trial = newTrial();
    const trying: GuardState = { kind: 'trying', trial, unanswered: 3 };
    expect(foldOutcome(trying, trial.callId, 'answered', 70_000, limits)).toEqual(FRESH_GUARD);
    expect(foldOutcome(trying, trial.callId, 'unanswered', 70_000, limits)).toMatchObject({ kind: 'resting', untilAt: 130_000 });
    const abandoned = foldOutcome(trying, trial.callId, 'says_nothing', 70_000, limits);
    expect(decideAdmission(abandoned, newTrial(), 70_000, alive).kind).toBe('admitted');
  });

  it('is not moved by calls from before a rest', () => {
    fc.assert(
      fc.property(fc.constantFrom<GuardVerdict>('answered', 'unanswered', 'says_nothing'), fc.nat(100_000), (verdict, now) => {
        const resting = fail(FRESH_GUARD, 3);
        expect(foldOutcome(resting, callIds.create(), verdict, now, limits)).toEqual(resting);
        const trying: GuardState = { kind: 'trying', trial: newTrial(), unanswered: 3 };
        expect(foldOutcome(trying, callIds.create(), verdict, now, limits)).toEqual(trying);
      }),
    );
  });

  it('never has two trials at once, whatever happens in whatever order', () => {
    const step = fc.record({ verdict: fc.constantFrom<GuardVerdict>('answered', 'unanswered', 'says_nothing'), ends: fc.boolean(), passMs: fc.nat(80_000), pick: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state: GuardState = FRESH_GUARD;
        let now = 0;
        const inFlight: { callId: ReturnType<typeof callIds.create>; isTrial: boolean }[] = [];
        for (const { verdict, ends, passMs, pick } of steps) {
          now += passMs;
          if (ends && inFlight.length > 0) {
            const [call] = inFlight.splice(pick % inFlight.length, 1);
            state = foldOutcome(state, call!.callId, verdict, now, limits);
            continue;
          }
          const call = newTrial();
          const admission = decideAdmission(state, call, now, alive);
          if (admission.kind === 'refused') continue;
          state = admission.state;
          inFlight.push({ callId: call.callId, isTrial: state.kind === 'trying' });
          expect(inFlight.filter(({ isTrial }) => isTrial).length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
