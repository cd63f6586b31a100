import type { ActorKind } from '@/lib/auth';
import type { CallError, Outcome } from '@/lib/calls';
import type { CallId, RunId } from '@/lib/core';
import type { Handing, OutputEnd } from '@/lib/files';
import type { Era, ServerKey } from '@/lib/servers';

/** A payload kept with an entry: whole in the row when small, else in the blob store with a preview. */
export type StoredPayload =
  | { readonly kind: 'inline'; readonly json: string; readonly sizeBytes: number }
  | { readonly kind: 'blob'; readonly sha256: string; readonly sizeBytes: number; readonly preview: string };

/** Above this a payload goes to the blob store. */
export const INLINE_PAYLOAD_BYTES = 64 * 1024;

/** One call on record (product section 7). */
export interface LedgerEntry {
  /** Global: the address `/ledger/<sequence>`. */
  readonly sequence: number;
  /** `ev_0001`, within its run. */
  readonly entryId: string;
  readonly callId: CallId;
  readonly runId: RunId;
  readonly step: string | null;
  readonly actorKind: ActorKind;
  readonly actorName: string;
  readonly serverKey: ServerKey;
  readonly tool: string;
  readonly exposedName: string | null;
  readonly plumbing: boolean;
  /** Why the call was allowed or refused, in a sentence. */
  readonly policy: string | null;
  readonly outcome: Outcome;
  readonly error: CallError | null;
  readonly arguments: StoredPayload | null;
  readonly argumentsSent: StoredPayload | null;
  readonly result: StoredPayload | null;
  readonly requestedAt: number;
  readonly queuedAt: number | null;
  readonly sentAt: number | null;
  readonly firstByteAt: number | null;
  readonly finishedAt: number | null;
  readonly attempts: number;
  readonly era: Era | null;
  readonly warnings: readonly string[];
  readonly progress: readonly ProgressNote[];
  readonly lateAnswerAt: number | null;
  /** The files that its references were handed over as. */
  readonly handings: readonly Handing[];
  /** The files that its answer named: taken, or not and why. */
  readonly outputs: readonly OutputEnd[];
}

export interface ProgressNote {
  readonly at: number;
  readonly kind: 'progress' | 'log';
  readonly text: string;
  readonly progress: number | null;
  readonly total: number | null;
}

/** An entry as lists show it: nothing that a viewer may not see. */
export type LedgerRow = Pick<
  LedgerEntry,
  | 'sequence' | 'entryId' | 'callId' | 'runId' | 'step' | 'actorKind' | 'actorName' | 'serverKey' | 'tool' | 'exposedName'
  | 'plumbing' | 'outcome' | 'requestedAt' | 'queuedAt' | 'sentAt' | 'finishedAt' | 'attempts'
> & {
  /** For those who may not see contents, null where it is a server's own. */
  readonly errorCode: string | null;
  /** Scrubbed; null for those who may not see contents. */
  readonly errorMessage: string | null;
  readonly resultBytes: number | null;
};

/** The events of an entry: canonical, append-only; the entry is their fold. */
export type LedgerEvent =
  | { readonly type: 'call.opened'; readonly at: number; readonly opening: CallOpening }
  | { readonly type: 'call.queued'; readonly at: number; readonly ahead: number }
  | { readonly type: 'call.handed'; readonly at: number; readonly handing: Handing }
  | { readonly type: 'call.sent'; readonly at: number; readonly attempt: number; readonly era: Era; readonly argumentsSent: StoredPayload | null }
  | { readonly type: 'call.answering'; readonly at: number }
  | { readonly type: 'call.progressed'; readonly at: number; readonly note: ProgressNote }
  | { readonly type: 'call.warned'; readonly at: number; readonly warning: string }
  | { readonly type: 'call.finished'; readonly at: number; readonly outcome: Outcome; readonly error: CallError | null; readonly result: StoredPayload | null }
  | { readonly type: 'call.answered_late'; readonly at: number; readonly result: StoredPayload | null }
  | { readonly type: 'call.read_back'; readonly at: number; readonly output: OutputEnd };

export interface CallOpening {
  readonly callId: CallId;
  readonly runId: RunId;
  readonly number: number;
  readonly step: string | null;
  readonly actorKind: ActorKind;
  readonly actorName: string;
  readonly serverKey: ServerKey;
  readonly tool: string;
  readonly exposedName: string | null;
  readonly plumbing: boolean;
  readonly policy: string | null;
  readonly arguments: StoredPayload | null;
}
