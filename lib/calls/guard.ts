import { assertNever, type CallId } from '@/lib/core';
import { DEFAULT_LIMITS, type Limits } from '@/lib/servers';

/** A call that tries a server after its rest, and the process that makes it. */
export interface Trial {
  readonly callId: CallId;
  readonly processId: number;
  readonly startTicks: string;
}

/** Why calls to a server rest. */
export type RestCause =
  | { readonly kind: 'unanswered'; readonly calls: number; readonly last: UnansweredCall | null }
  /** Somebody asked for it, and said why. */
  | { readonly kind: 'asked'; readonly reason: string };

/** The call that was not answered, by what the console itself says of it. */
export interface UnansweredCall {
  readonly tool: string;
  readonly code: string;
}

/**
 * How the calls of one resolved configuration stand (product section 6.1). `round` is the number of rests that there
 * were: a call that was admitted in an earlier round says nothing of this one.
 */
export type GuardState =
  | { readonly kind: 'working'; readonly round: number; readonly unanswered: number }
  | { readonly kind: 'resting'; readonly round: number; readonly untilAt: number; readonly cause: RestCause }
  | { readonly kind: 'trying'; readonly round: number; readonly trial: Trial; readonly cause: RestCause };

export const FRESH_GUARD: GuardState = { kind: 'working', round: 0, unanswered: 0 };

/** What a call was admitted as; its end is booked with it. */
export interface Pass {
  readonly callId: CallId;
  readonly round: number;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly state: GuardState; readonly pass: Pass }
  /** `untilAt` is null while a trial call is under way. */
  | { readonly kind: 'refused'; readonly untilAt: number | null; readonly cause: RestCause };

/**
 * Whether a call may go. The first one after a rest becomes the trial, and is the only one until it ends; a
 * trial whose process is gone was abandoned, and the next call takes its place.
 */
export function decideAdmission(state: GuardState, call: Trial, now: number, isRunning: (trial: Trial) => boolean): Admission {
  const pass = { callId: call.callId, round: state.round };
  switch (state.kind) {
    case 'working':
      return { kind: 'admitted', state, pass };
    case 'resting':
      if (now < state.untilAt) return { kind: 'refused', untilAt: state.untilAt, cause: state.cause };
      return { kind: 'admitted', state: toTrying(state, call), pass };
    case 'trying':
      if (state.trial.callId === call.callId) return { kind: 'admitted', state, pass };
      if (isRunning(state.trial)) return { kind: 'refused', untilAt: null, cause: state.cause };
      return { kind: 'admitted', state: toTrying(state, call), pass };
    default:
      return assertNever(state);
  }
}

const toTrying = ({ round, cause }: Extract<GuardState, { cause: RestCause }>, trial: Trial): GuardState => ({ kind: 'trying', round, trial, cause });

/** What a call's end says of its server: it answered (an error too), it did not, or nothing. */
export type GuardVerdict = 'answered' | 'unanswered' | 'says_nothing';

/** A call's end, as the guard books it. */
export type GuardedEnd =
  | { readonly verdict: 'answered' }
  | { readonly verdict: 'says_nothing' }
  | { readonly verdict: 'unanswered'; readonly call: UnansweredCall };

export interface GuardLimits {
  readonly failuresToOpen: number;
  readonly cooldownMs: number;
}

export const guardLimits = (limits: Limits): GuardLimits => ({
  failuresToOpen: limits.failures_to_open ?? DEFAULT_LIMITS.failures_to_open,
  cooldownMs: (limits.cooldown_s ?? DEFAULT_LIMITS.cooldown_s) * 1000,
});

/** The state after a call ended. Calls from before a rest change nothing, whenever they end. */
export function foldOutcome(state: GuardState, pass: Pass, end: GuardedEnd, now: number, limits: GuardLimits): GuardState {
  if (pass.round !== state.round) return state;
  switch (state.kind) {
    case 'working': {
      if (end.verdict === 'says_nothing') return state;
      if (end.verdict === 'answered') return state.unanswered === 0 ? state : { ...state, unanswered: 0 };
      const unanswered = state.unanswered + 1;
      if (unanswered < limits.failuresToOpen) return { ...state, unanswered };
      return beginRest(state, { kind: 'unanswered', calls: unanswered, last: end.call }, now + limits.cooldownMs);
    }
    case 'resting':
      return state;
    case 'trying':
      if (state.trial.callId !== pass.callId) return state;
      if (end.verdict === 'answered') return endRest(state);
      // Abandoned: the rest is over, and the next call is the trial.
      if (end.verdict === 'says_nothing') return { kind: 'resting', round: state.round, untilAt: now, cause: state.cause };
      return beginRest(state, { kind: 'unanswered', calls: countOf(state.cause) + 1, last: end.call }, now + limits.cooldownMs);
    default:
      return assertNever(state);
  }
}

const countOf = (cause: RestCause): number => (cause.kind === 'unanswered' ? cause.calls : 0);

/** A rest from now on, also in the middle of another or of a trial. */
export const beginRest = (state: GuardState, cause: RestCause, untilAt: number): GuardState => ({ kind: 'resting', round: state.round + 1, untilAt, cause });

/** Calls go again; what is still out from before counts for nothing. */
export const endRest = (state: GuardState): GuardState =>
  state.kind === 'working' ? state : { kind: 'working', round: state.round + 1, unanswered: 0 };

/** The rest is over now and the next call is the trial; a trial that is under way stays the only one. */
export const letNextThrough = (state: GuardState, now: number): GuardState =>
  state.kind === 'resting' && state.untilAt > now ? { ...state, untilAt: now } : state;

const CODE_WORDS: Readonly<Record<string, string>> = {
  timeout: 'ran out of time',
  connection_lost: 'lost its connection',
  not_connected: 'could not connect',
};

/** Why calls rest, as a sentence. */
export function describeCause(cause: RestCause): string {
  if (cause.kind === 'asked') return cause.reason;
  const { calls, last } = cause;
  const sentence = `${calls === 1 ? '1 call was' : `${calls} calls in a row were`} not answered`;
  return last === null ? `${sentence}.` : `${sentence}; the last one, ${last.tool}, ${CODE_WORDS[last.code] ?? `ended as ${last.code}`}.`;
}
