import type { LedgerEntry } from '@/lib/ledger';
import type { Meaning } from '../../ui/meaning';

/** A part of a call's time. */
interface Phase {
  readonly name: 'before' | 'queued' | 'waiting' | 'answering';
  /** In words, for the line of the waterfall. */
  readonly word: string;
  /** From the request on, in ms. */
  readonly startMs: number;
  readonly lengthMs: number;
  readonly meaning: Meaning;
  /** Whether it is still going on. */
  readonly open: boolean;
}

export interface Timings {
  readonly phases: readonly Phase[];
  readonly totalMs: number;
}

type TimedEntry = Pick<LedgerEntry, 'requestedAt' | 'queuedAt' | 'sentAt' | 'firstByteAt' | 'finishedAt'>;

const PHASES = [
  { name: 'before', word: 'policy and admission', meaning: 'resting' },
  { name: 'queued', word: 'queued for a free place', meaning: 'resting' },
  { name: 'waiting', word: 'sent, waiting for the first byte', meaning: 'working' },
  { name: 'answering', word: 'answering', meaning: 'good' },
] as const;

/**
 * What a call's time went into, in order; phases that did not happen are left out.
 * @param now the end of what is still going on, in ms
 */
export function toTimings(entry: TimedEntry, now: number): Timings {
  const { requestedAt, queuedAt, sentAt, firstByteAt, finishedAt } = entry;
  const end = finishedAt ?? Math.max(now, requestedAt);
  const starts = [requestedAt, queuedAt, sentAt, firstByteAt];
  const phases = PHASES.flatMap((phase, index): Phase[] => {
    const startAt = starts[index];
    if (startAt === undefined || startAt === null) return [];
    const nextAt = starts.slice(index + 1).find((at) => at !== null);
    const lengthMs = Math.max(0, (nextAt ?? end) - startAt);
    const open = finishedAt === null && nextAt === undefined;
    // Admission takes no time worth a line unless the call is still in it.
    if (phase.name === 'before' && lengthMs === 0 && !open && nextAt !== undefined) return [];
    return [{ ...phase, startMs: Math.max(0, startAt - requestedAt), lengthMs, open }];
  });
  return { phases, totalMs: Math.max(0, end - requestedAt) };
}
