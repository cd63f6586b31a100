import type { ServerState, ServerStateName } from '@/lib/pool';

/** What a verdict comes from: a check of the monitor, a connection test, or an event of the connection itself. */
export const VERDICT_SOURCES = ['check', 'test', 'connection'] as const;
export type VerdictSource = (typeof VERDICT_SOURCES)[number];

/** How a server stood at a moment, as it is kept. */
export interface Verdict {
  readonly serverKey: string;
  readonly at: number;
  readonly source: VerdictSource;
  readonly state: ServerStateName;
  /** Whether it answered; null where nobody asked it anything. */
  readonly ok: boolean | null;
  readonly latencyMs: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly remediation: string | null;
}

/** A change of state that people are told of. */
export interface StateChange {
  readonly id: number;
  readonly serverKey: string;
  readonly at: number;
  /** null where nothing was known of the server before. */
  readonly from: ServerStateName | null;
  readonly to: ServerStateName;
  readonly code: string | null;
  readonly message: string | null;
  readonly remediation: string | null;
}

/** Why a server failed, and what to do, as the page shows the last one. */
export interface LastFailure {
  readonly at: number;
  readonly code: string;
  readonly message: string;
  readonly remediation: string;
}

/** States of the moment, or of nothing known, are not kept: since when a server stands so outlives them. */
export const isKept = (state: ServerStateName): boolean => state !== 'starting' && state !== 'untested';

const WELL: ReadonlySet<ServerStateName> = new Set(['connected', 'idle']);

/**
 * Whether people are told of a change: a server that becomes idle or is opened again is as well as before, and one
 * that is well when it is first seen is no news.
 */
export function isNews(from: ServerStateName | null, to: ServerStateName): boolean {
  if (from === to || !isKept(to)) return false;
  if (from === null) return !WELL.has(to) && to !== 'disabled';
  return !(WELL.has(from) && WELL.has(to));
}

/** What a state says of itself: its failure, or why it rests. */
export function toReason(state: ServerState): Pick<Verdict, 'code' | 'message' | 'remediation'> {
  switch (state.name) {
    case 'failing':
    case 'sign_in_needed':
      return { code: state.failure.code, message: state.failure.message, remediation: state.failure.remediation };
    case 'resting':
      return { code: 'server_resting', message: state.reason, remediation: 'It is tried again when the rest is over; an operator can end the rest before.' };
    case 'disabled':
    case 'untested':
    case 'starting':
    case 'connected':
    case 'idle':
      return { code: null, message: null, remediation: null };
  }
}
