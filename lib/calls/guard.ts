import { assertNever, type CallId } from '@/lib/core';
import { DEFAULT_LIMITS, type Limits } from '@/lib/servers';

/** A call that tries a server after its rest, and the process that makes it. */
export interface Trial {
  readonly callId: CallId;
  readonly processId: number;
  readonly startTicks: string;
}

/** How the calls of one resolved configuration stand (product section 6.1). */
export type GuardState =
  | { readonly kind: 'working'; readonly unanswered: number }
  | { readonly kind: 'resting'; readonly untilAt: number; readonly unanswered: number }
  | { readonly kind: 'trying'; readonly trial: Trial; readonly unanswered: number };

export const FRESH_GUARD: GuardState = { kind: 'working', unanswered: 0 };

export type Admission =
  | { readonly kind: 'admitted'; readonly state: GuardState }
  /** `untilAt` is null while a trial call is under way. */
  | { readonly kind: 'refused'; readonly untilAt: number | null };

/**
 * Whether a call may go. The first one after a rest becomes the trial, and is the only one until it ends; a
 * trial whose process is gone was abandoned, and the next call takes its place.
 */
export function decideAdmission(state: GuardState, call: Trial, now: number, isRunning: (trial: Trial) => boolean): Admission {
  switch (state.kind) {
    case 'working':
      return { kind: 'admitted', state };
    case 'resting':
      if (now < state.untilAt) return { kind: 'refused', untilAt: state.untilAt };
      return { kind: 'admitted', state: { kind: 'trying', trial: call, unanswered: state.unanswered } };
    case 'trying':
      if (state.trial.callId === call.callId) return { kind: 'admitted', state };
      if (isRunning(state.trial)) return { kind: 'refused', untilAt: null };
      return { kind: 'admitted', state: { kind: 'trying', trial: call, unanswered: state.unanswered } };
    default:
      return assertNever(state);
  }
}

/** What a call's end says of its server: it answered (an error too), it did not, or nothing. */
export type GuardVerdict = 'answered' | 'unanswered' | 'says_nothing';

export interface GuardLimits {
  readonly failuresToOpen: number;
  readonly cooldownMs: number;
}

export const guardLimits = (limits: Limits): GuardLimits => ({
  failuresToOpen: limits.failures_to_open ?? DEFAULT_LIMITS.failures_to_open,
  cooldownMs: (limits.cooldown_s ?? DEFAULT_LIMITS.cooldown_s) * 1000,
});

/** The state after a call ended. Calls from before a rest that end during it change nothing. */
export function foldOutcome(state: GuardState, callId: CallId, verdict: GuardVerdict, now: number, limits: GuardLimits): GuardState {
  switch (state.kind) {
    case 'working': {
      if (verdict === 'says_nothing') return state;
      if (verdict === 'answered') return FRESH_GUARD;
      const unanswered = state.unanswered + 1;
      return unanswered >= limits.failuresToOpen ? { kind: 'resting', untilAt: now + limits.cooldownMs, unanswered } : { kind: 'working', unanswered };
    }
    case 'resting':
      return state;
    case 'trying':
      if (state.trial.callId !== callId) return state;
      if (verdict === 'answered') return FRESH_GUARD;
      if (verdict === 'unanswered') return { kind: 'resting', untilAt: now + limits.cooldownMs, unanswered: state.unanswered + 1 };
      // Abandoned: the rest is over, and the next call is the trial.
      return { kind: 'resting', untilAt: now, unanswered: state.unanswered };
    default:
      return assertNever(state);
  }
}
