import type { CallId, JsonObject, RunId } from '@/lib/core';
import type { OutputEnd, OutputRequest } from '@/lib/files';
import type { ServerKey } from '@/lib/servers';
import type { CallError, Outcome } from './outcome';

/** One call of one tool, as whoever makes it asks for it. */
export interface CallRequest {
  /** Made by the asker: the same id twice is one call. */
  readonly callId: CallId;
  readonly serverKey: ServerKey;
  readonly tool: string;
  /** Sent exactly as given. */
  readonly arguments: JsonObject;
  readonly runId: RunId;
  /** The `total` clock of this call, in ms; null takes the tool's. */
  readonly totalMs: number | null;
  /** An operator confirmed "try anyway" for a tool that is unavailable here. */
  readonly tryAnyway: boolean;
  /** Whether the call must keep to what is exposed: an operator on the server's page need not. */
  readonly requiresExposure: boolean;
  /** The files of its answer that are to be taken; absent takes none. */
  readonly outputs?: readonly OutputRequest[];
  /** The token of the disclosure that somebody confirmed; needed where something would leave. */
  readonly confirmed?: string | null;
}

/** How a call ended, for its asker; the ledger entry has all of it. */
export interface CallResult {
  readonly sequence: number;
  readonly entryId: string;
  readonly runId: RunId;
  readonly outcome: Outcome;
  readonly error: CallError | null;
  /** The result as it came (content, structured content, `isError`), null where none came. */
  readonly result: JsonObject | null;
  /** Null where the call never went to the server: then it was certainly not carried out. */
  readonly sentAt: number | null;
  readonly durationMs: number;
  readonly attempts: number;
  readonly warnings: readonly string[];
  /** The files of its answer that were wanted: taken, or not and why. */
  readonly outputs: readonly OutputEnd[];
}
