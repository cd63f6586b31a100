import { isFinal, mayHaveHappened, type Outcome } from '@/lib/calls';

/** The calls of a server over the last day that have ended. */
export interface CallShare {
  readonly ended: number;
  /** Answered with an error, or not sent. */
  readonly failed: number;
  /** May have happened although no answer came: neither good nor bad. */
  readonly unknown: number;
}

export const NO_CALLS: CallShare = { ended: 0, failed: 0, unknown: 0 };

const FAILED: ReadonlySet<Outcome> = new Set(['tool_error', 'protocol_error', 'not_sent', 'timeout']);

/** The share with `count` more calls that stand so; a call that a person took back before it was sent is none. */
export function addCalls(share: CallShare, outcome: Outcome, wasSent: boolean, count: number): CallShare {
  if (!isFinal(outcome)) return share;
  if (mayHaveHappened(outcome, wasSent ? 0 : null)) return { ...share, ended: share.ended + count, unknown: share.unknown + count };
  if (outcome === 'ok') return { ...share, ended: share.ended + count };
  return FAILED.has(outcome) ? { ...share, ended: share.ended + count, failed: share.failed + count } : share;
}

export const sumShares = (a: CallShare, b: CallShare): CallShare => ({
  ended: a.ended + b.ended,
  failed: a.failed + b.failed,
  unknown: a.unknown + b.unknown,
});

/** `0.4 % failed`; of a share that rounds to nothing, that it is less than that. */
export function describeFailed({ ended, failed }: CallShare): string {
  if (ended === 0) return 'no calls';
  const percent = (failed / ended) * 100;
  if (failed > 0 && percent < 0.1) return '< 0.1 % failed';
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)} % failed`;
}
