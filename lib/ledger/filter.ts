import type { ActorKind } from '@/lib/auth';
import type { Outcome } from '@/lib/calls';
import type { RunId } from '@/lib/core';
import type { ServerKey } from '@/lib/servers';

/** What of the ledger is looked at; every part is optional and they compose. */
export interface LedgerFilter {
  readonly serverKeys: readonly ServerKey[];
  readonly tools: readonly string[];
  readonly outcomes: readonly Outcome[];
  readonly actorKinds: readonly ActorKind[];
  readonly actorName: string | null;
  readonly runId: RunId | null;
  /** Requested at or after, in ms. */
  readonly fromAt: number | null;
  /** Requested before, in ms. */
  readonly toAt: number | null;
  /** Plumbing calls are out of the default view. */
  readonly plumbing: boolean;
}
