import { isKnownErrorCode } from '@/lib/calls';
import type { LedgerEntry, LedgerRow } from './entry';

const HIDDEN_MESSAGE = 'An analyst can see what was answered.';

/** The entry as someone sees it who may not see arguments and results (product section 14). */
export function withoutContents(entry: LedgerEntry): LedgerEntry {
  return {
    ...entry,
    arguments: null,
    argumentsSent: null,
    result: null,
    // The console's own sentences quote what servers said, and a code of a server's own is what it wrote.
    error: entry.error === null ? null : { ...entry.error, code: toShownCode(entry.error.code) ?? 'tool_failed', message: HIDDEN_MESSAGE, remediation: null, details: null },
    warnings: [],
    progress: [],
    handings: [],
    outputs: [],
  };
}

/** The row as someone sees it who may not see contents. */
export const withoutRowContents = (row: LedgerRow): LedgerRow => ({
  ...row,
  errorCode: row.errorCode === null ? null : toShownCode(row.errorCode),
  errorMessage: null,
});

const toShownCode = (code: string): string | null => (isKnownErrorCode(code) ? code : null);

/** The row of a list, from the entry; its message is scrubbed by whoever shows it. */
export function toRow(entry: LedgerEntry): LedgerRow {
  return {
    sequence: entry.sequence,
    entryId: entry.entryId,
    callId: entry.callId,
    runId: entry.runId,
    step: entry.step,
    actorKind: entry.actorKind,
    actorName: entry.actorName,
    serverKey: entry.serverKey,
    tool: entry.tool,
    exposedName: entry.exposedName,
    plumbing: entry.plumbing,
    outcome: entry.outcome,
    requestedAt: entry.requestedAt,
    queuedAt: entry.queuedAt,
    sentAt: entry.sentAt,
    finishedAt: entry.finishedAt,
    attempts: entry.attempts,
    errorCode: entry.error?.code ?? null,
    errorMessage: entry.error?.message ?? null,
    resultBytes: entry.result?.sizeBytes ?? null,
  };
}
