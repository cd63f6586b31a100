import type { ActorKind } from '@/lib/auth';
import type { Outcome } from '@/lib/calls';
import type { RunId } from '@/lib/core';
import type { ServerKey } from '@/lib/servers';

/** What of the ledger is looked at; every part is optional and they compose. */
export interface LedgerFilter {
  readonly serverKeys: readonly ServerKey[];
  readonly tools: readonly string[];
  readonly outcomes: readonly Outcome[];
  /** Of errors, the console's and servers' own. */
  readonly errorCodes: readonly string[];
  readonly actorKinds: readonly ActorKind[];
  readonly actorName: string | null;
  readonly runId: RunId | null;
  /** Requested at or after, in ms. */
  readonly fromAt: number | null;
  /** Requested before, in ms. */
  readonly toAt: number | null;
  /** From requested to finished, at least; a call that goes on has no duration yet. */
  readonly minDurationMs: number | null;
  /** At most. */
  readonly maxDurationMs: number | null;
  /** Words that all stand in the arguments, the result or the error; the last one may be a beginning. */
  readonly text: string | null;
  /** Plumbing calls are out of the default view. */
  readonly plumbing: boolean;
}
