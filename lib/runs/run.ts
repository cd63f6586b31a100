import type { ActorKind } from '@/lib/auth';
import { isFinal, isKnownErrorCode, mayHaveHappened, type Outcome } from '@/lib/calls';
import type { RunId } from '@/lib/core';
import type { ServerKey } from '@/lib/servers';

/** A run as lists show it. */
export interface RunRow {
  readonly id: RunId;
  readonly kind: 'session';
  readonly actorKind: ActorKind;
  readonly actorName: string;
  readonly startedAt: number;
  /** When its last call was asked for. */
  readonly lastCallAt: number | null;
  readonly entryCount: number;
}

/** So many calls of a run stand or ended so. */
export interface OutcomeCount {
  readonly outcome: Outcome;
  /** Whether they went to their server: what was not sent cannot have happened. */
  readonly sent: boolean;
  readonly count: number;
}

/** A failure of a run, once however often it happened: same server, tool, code and message. */
export interface RunFailure {
  readonly serverKey: ServerKey;
  readonly tool: string;
  readonly code: string;
  readonly message: string | null;
  readonly remediation: string | null;
  readonly remediationBy: 'server' | 'console';
  readonly count: number;
  /** How the newest of them ended. */
  readonly outcome: Outcome;
  readonly sentAt: number | null;
  /** The newest of them. */
  readonly lastSequence: number;
}

/** What stands above a run's entries. */
export interface RunHeader {
  readonly run: RunRow;
  readonly outcomes: readonly OutcomeCount[];
  readonly failures: readonly RunFailure[];
  /** More failures than are listed. */
  readonly moreFailures: boolean;
  /** Only the newest so many entries were looked at; null where it was all of them. */
  readonly newestOnly: number | null;
}

/** What a run came to so far, by the weightiest of its calls. */
export type RunStanding = 'running' | 'not_known' | 'failures' | 'well' | 'empty';

export function toRunStanding(outcomes: readonly OutcomeCount[]): RunStanding {
  const has = (is: (count: OutcomeCount) => boolean): boolean => outcomes.some(is);
  if (outcomes.length === 0) return 'empty';
  if (has(({ outcome }) => !isFinal(outcome))) return 'running';
  if (has(({ outcome, sent }) => mayHaveHappened(outcome, sent ? 0 : null))) return 'not_known';
  return has(({ outcome }) => outcome !== 'ok') ? 'failures' : 'well';
}

/** The header as someone sees it who may not see what servers answered (product section 14). */
export const withoutFailureContents = (header: RunHeader): RunHeader => ({
  ...header,
  failures: header.failures.map((failure) => ({
    ...failure,
    code: isKnownErrorCode(failure.code) ? failure.code : 'tool_failed',
    message: null,
    remediation: null,
  })),
});
