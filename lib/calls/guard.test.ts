import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callIds, type CallId } from '@/lib/core';
import {
  beginRest, decideAdmission, describeCause, endRest, foldOutcome, FRESH_GUARD, letNextThrough,
  type GuardedEnd, type GuardState, type GuardVerdict, type Pass, type Trial,
} from './guard';

const limits = { failuresToOpen: 3, cooldownMs: 60_000 };
const newTrial = (): Trial => ({ callId: callIds.create(), processId: 1, startTicks: '1' });
const alive = () => true;
const gone = () => false;
const toEnd = (verdict: GuardVerdict): GuardedEnd => (verdict === 'unanswered' ? { verdict, call: { tool: 'slow', code: 'timeout' } } : { verdict });
const passOf = ({ round }: GuardState, callId: CallId = callIds.create()): Pass => ({ callId, round });
const fold = (state: GuardState, pass: Pass, verdict: GuardVerdict, now: number) => foldOutcome(state, pass, toEnd(verdict), now, limits);

/** So many calls that are admitted and not answered, one after the other. */
function fail(state: GuardState, times: number, now = 0): GuardState {
  return Array.from({ length: times }).reduce<GuardState>((before) => fold(before, passOf(before), 'unanswered', now), state);
}

function requireAdmitted(state: GuardState, call: Trial, now: number, isRunning = alive) {
  const admission = decideAdmission(state, call, now, isRunning);
  if (admission.kind !== 'admitted') throw new Error('not admitted');
  return admission;
}

describe('the guard of a server', () => {
  it('lets a server rest after as many unanswered calls in a row, not before', () => {
    expect(fail(FRESH_GUARD, 2)).toMatchObject({ kind: 'working', unanswered: 2 });
    expect(fail(FRESH_GUARD, 3)).toMatchObject({ kind: 'resting', untilAt: 60_000, cause: { kind: 'unanswered', calls: 3, last: { tool: 'slow', code: 'timeout' } } });
  });

  it('begins to count anew at any answer', () => {
    const counted = fail(FRESH_GUARD, 2);
    expect(fold(counted, passOf(counted), 'answered', 0)).toEqual(FRESH_GUARD);
  });

  it('refuses while it rests and says until when', () => {
    expect(decideAdmission(fail(FRESH_GUARD, 3), newTrial(), 59_999, alive)).toMatchObject({ kind: 'refused', untilAt: 60_000 });
  });

  it('admits exactly one trial after the rest', () => {
    const first = newTrial();
    const { state } = requireAdmitted(fail(FRESH_GUARD, 3), first, 60_000);
    expect(state).toMatchObject({ kind: 'trying', trial: first });
    expect(decideAdmission(state, newTrial(), 60_001, alive)).toMatchObject({ kind: 'refused', untilAt: null });
    expect(decideAdmission(state, first, 60_001, alive).kind).toBe('admitted');
    expect(decideAdmission(state, newTrial(), 60_001, gone).kind).toBe('admitted');
  });

  it('is back when the trial is answered, rests in full when it is not, and tries the next when it is abandoned', () => {
    const { state: trying, pass } = requireAdmitted(fail(FRESH_GUARD, 3), newTrial(), 60_000);
    expect(fold(trying, pass, 'answered', 70_000)).toMatchObject({ kind: 'working', unanswered: 0 });
    expect(fold(trying, pass, 'unanswered', 70_000)).toMatchObject({ kind: 'resting', untilAt: 130_000, cause: { calls: 4 } });
    expect(decideAdmission(fold(trying, pass, 'says_nothing', 70_000), newTrial(), 70_000, alive).kind).toBe('admitted');
  });

  it('is not moved by calls from before a rest, during it, during the trial or after it', () => {
    const early = passOf(FRESH_GUARD);
    const resting = fail(FRESH_GUARD, 3);
    const { state: trying, pass } = requireAdmitted(resting, newTrial(), 60_000);
    const back = fold(trying, pass, 'answered', 61_000);
    const counted = fail(back, 2, 62_000);
    for (const state of [resting, trying, back, counted]) {
      for (const verdict of ['answered', 'unanswered', 'says_nothing'] as const) expect(fold(state, early, verdict, 900_000)).toBe(state);
    }
  });

  it('rests, lets one through and goes on at a word, whatever the count', () => {
    const asked = beginRest(FRESH_GUARD, { kind: 'asked', reason: 'op@example.org lets it rest.' }, 1_000_000);
    expect(decideAdmission(asked, newTrial(), 999_999, alive)).toMatchObject({ kind: 'refused', untilAt: 1_000_000 });
    const trial = newTrial();
    const { state } = requireAdmitted(letNextThrough(asked, 5), trial, 5);
    expect(decideAdmission(state, newTrial(), 6, alive)).toMatchObject({ kind: 'refused', untilAt: null });
    expect(letNextThrough(state, 6)).toBe(state);
    expect(letNextThrough(FRESH_GUARD, 6)).toBe(FRESH_GUARD);
    expect(endRest(FRESH_GUARD)).toBe(FRESH_GUARD);
    const going = endRest(state);
    expect(decideAdmission(going, newTrial(), 7, alive).kind).toBe('admitted');
    // The trial that was out when somebody let all go is from before.
    expect(fold(going, passOf(state, trial.callId), 'unanswered', 8)).toBe(going);
  });

  it('says why in a sentence', () => {
    expect(describeCause({ kind: 'unanswered', calls: 3, last: { tool: 'slow', code: 'timeout' } })).toBe('3 calls in a row were not answered; the last one, slow, ran out of time.');
    expect(describeCause({ kind: 'unanswered', calls: 1, last: null })).toBe('1 call was not answered.');
    expect(describeCause({ kind: 'asked', reason: 'op lets it rest.' })).toBe('op lets it rest.');
  });
});

/** What may happen, in any order: calls begin and end, processes die, time passes, people press buttons. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('begin' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), pick: fc.nat(50), verdict: fc.constantFrom<GuardVerdict>('answered', 'unanswered', 'unanswered', 'says_nothing') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(80_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), pick: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('rest' as const, 'letThrough' as const, 'resume' as const) }) },
);

interface Flight {
  readonly pass: Pass;
  readonly isTrial: boolean;
}

/** A second telling of product section 6.1, by counting alone. */
interface Model {
  now: number;
  unanswered: number;
  restsUntil: number | null;
  trial: CallId | null;
  /** Admitted since the last rest began or ended: only these count. */
  counting: Set<CallId>;
}

describe('the guard, whatever happens in whatever order', () => {
  it('never has two trials, never lets a call into a rest, opens at the limit exactly, and forgets what is from before a rest', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 4 }), (steps, failuresToOpen) => {
        const own = { failuresToOpen, cooldownMs: 60_000 };
        let state: GuardState = FRESH_GUARD;
        const model: Model = { now: 0, unanswered: 0, restsUntil: null, trial: null, counting: new Set() };
        const inFlight: Flight[] = [];
        const dead = new Set<CallId>();
        const begin = (restsUntil: number | null): void => {
          Object.assign(model, { restsUntil, trial: null, unanswered: 0, counting: new Set() });
        };
        const rest = (untilAt: number): void => begin(untilAt);
        const work = (): void => begin(null);

        for (const action of steps) {
          switch (action.do) {
            case 'pass':
              model.now += action.ms;
              break;
            case 'rest':
              state = beginRest(state, { kind: 'asked', reason: 'asked' }, model.now + 30_000);
              rest(model.now + 30_000);
              break;
            case 'letThrough':
              state = letNextThrough(state, model.now);
              if (model.restsUntil !== null && model.trial === null) model.restsUntil = Math.min(model.restsUntil, model.now);
              break;
            case 'resume':
              if (model.restsUntil !== null) work();
              state = endRest(state);
              break;
            case 'die': {
              const flight = inFlight.splice(inFlight.length === 0 ? 0 : action.pick % inFlight.length, 1)[0];
              if (flight !== undefined) dead.add(flight.pass.callId);
              break;
            }
            case 'begin': {
              const call = newTrial();
              const admission = decideAdmission(state, call, model.now, (trial) => !dead.has(trial.callId));
              const trialRuns = model.trial !== null && !dead.has(model.trial);
              const expected = model.restsUntil === null || (model.now >= model.restsUntil && !trialRuns);
              expect(admission.kind).toBe(expected ? 'admitted' : 'refused');
              if (admission.kind === 'refused') break;
              state = admission.state;
              if (model.restsUntil !== null) model.trial = call.callId;
              model.counting.add(call.callId);
              inFlight.push({ pass: admission.pass, isTrial: model.restsUntil !== null });
              break;
            }
            case 'end': {
              const flight = inFlight.splice(inFlight.length === 0 ? 0 : action.pick % inFlight.length, 1)[0];
              if (flight === undefined) break;
              const before = state;
              state = foldOutcome(state, flight.pass, toEnd(action.verdict), model.now, own);
              const { callId } = flight.pass;
              const counts = model.counting.has(callId) && (model.restsUntil === null || model.trial === callId);
              if (!counts) expect(state).toBe(before);
              else if (model.trial === callId) {
                if (action.verdict === 'answered') work();
                else if (action.verdict === 'unanswered') rest(model.now + 60_000);
                else Object.assign(model, { restsUntil: model.now, trial: null });
              } else if (action.verdict === 'answered') model.unanswered = 0;
              else if (action.verdict === 'unanswered') {
                model.unanswered += 1;
                if (model.unanswered >= failuresToOpen) rest(model.now + 60_000);
              }
              break;
            }
          }
          const running = inFlight.filter(({ pass, isTrial }) => isTrial && pass.callId === model.trial);
          expect(running.length).toBeLessThanOrEqual(1);
          expect(state.kind === 'working').toBe(model.restsUntil === null);
          if (state.kind === 'working') expect(state.unanswered).toBe(model.unanswered);
          if (state.kind === 'resting') expect(state.untilAt).toBe(model.restsUntil);
          if (state.kind === 'trying') expect(state.trial.callId).toBe(model.trial);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('counts a call once, however often it is asked whether it may go', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), (asks) => {
        const call = newTrial();
        let state: GuardState = FRESH_GUARD;
        let pass: Pass = passOf(state, call.callId);
        for (let ask = 0; ask < asks; ask += 1) ({ state, pass } = requireAdmitted(state, call, 0));
        expect(fold(state, pass, 'unanswered', 0)).toMatchObject({ kind: 'working', unanswered: 1 });
      }),
    );
  });
});
