import type BetterSqlite3 from 'better-sqlite3';
import { AppError } from '@/lib/core';
import type { CallOpening, LedgerEntry, LedgerEvent } from '..';
import type { ProcessIdentity } from './owner';

export interface OpenOwner {
  readonly sequence: number;
  readonly ownerProcess: number;
  readonly ownerStartTicks: string;
}

export type LedgerStatements = ReturnType<typeof prepareStatements>;

/**
 * The writer's statements, prepared once and by hand: a call writes three times before its answer counts as
 * given, and the query builder costs several times what the statement does.
 */
export function prepareStatements(sqlite: BetterSqlite3.Database) {
  const findCall = sqlite.prepare<[string], { sequence: number; number: number; cursor: number }>(
    'SELECT sequence, number, last_cursor AS cursor FROM ledger_entries WHERE call_id = ?',
  );
  const countInRun = sqlite.prepare<[string], { number: number }>(
    'UPDATE runs SET entry_count = entry_count + 1 WHERE id = ? RETURNING entry_count AS number',
  );
  const insertEntry = sqlite.prepare<[Record<string, string | number | null>]>(
    `INSERT INTO ledger_entries (call_id, run_id, number, step, actor_kind, actor_name, server_key, tool, exposed_name,
       plumbing, outcome, requested_at, attempts, owner_process, owner_start_ticks, last_cursor)
     VALUES (@callId, @runId, @number, @step, @actorKind, @actorName, @serverKey, @tool, @exposedName,
       @plumbing, 'requested', @requestedAt, 0, @ownerProcess, @ownerStartTicks, 0)`,
  );
  const insertEvent = sqlite.prepare<[number, string, number, string]>(
    'INSERT INTO ledger_events (entry_sequence, type, at, event) VALUES (?, ?, ?, ?)',
  );
  const updateEntry = sqlite.prepare<[Record<string, string | number | null>]>(
    `UPDATE ledger_entries SET outcome = @outcome, error_code = @errorCode, error_message = @errorMessage,
       result_bytes = @resultBytes, queued_at = @queuedAt, sent_at = @sentAt, finished_at = @finishedAt,
       attempts = @attempts, last_cursor = @cursor WHERE sequence = @sequence`,
  );
  const holdBlob = sqlite.prepare<[string, number]>('INSERT OR IGNORE INTO ledger_blobs (sha256, entry_sequence) VALUES (?, ?)');
  const selectOpen = sqlite.prepare<[], OpenOwner>(
    `SELECT sequence, owner_process AS ownerProcess, owner_start_ticks AS ownerStartTicks FROM ledger_entries
     WHERE outcome IN ('requested', 'awaiting_approval', 'queued', 'sent')`,
  );

  return {
    findCall: (callId: string) => findCall.get(callId),
    /** The next entry's number in the run; undefined where there is no such run. */
    countInRun: (runId: string): number | undefined => countInRun.get(runId)?.number,
    /** @returns the entry's sequence */
    insertEntry: (opening: CallOpening, requestedAt: number, owner: ProcessIdentity): number =>
      Number(
        insertEntry.run({
          callId: opening.callId,
          runId: opening.runId,
          number: opening.number,
          step: opening.step,
          actorKind: opening.actorKind,
          actorName: opening.actorName,
          serverKey: opening.serverKey,
          tool: opening.tool,
          exposedName: opening.exposedName,
          plumbing: opening.plumbing ? 1 : 0,
          requestedAt,
          ownerProcess: owner.processId,
          ownerStartTicks: owner.startTicks,
        }).lastInsertRowid,
      ),
    /** @returns the event's cursor */
    insertEvent: (sequence: number, event: LedgerEvent): number =>
      Number(insertEvent.run(sequence, event.type, event.at, JSON.stringify(event)).lastInsertRowid),
    /** @throws where the entry is not on record: what put it there could not be stored */
    updateEntry: (entry: LedgerEntry, cursor: number): void => {
      const { changes } = updateEntry.run({
        sequence: entry.sequence,
        outcome: entry.outcome,
        errorCode: entry.error?.code ?? null,
        errorMessage: entry.error?.message ?? null,
        resultBytes: entry.result?.sizeBytes ?? null,
        queuedAt: entry.queuedAt,
        sentAt: entry.sentAt,
        finishedAt: entry.finishedAt,
        attempts: entry.attempts,
        cursor,
      });
      if (changes !== 1) throw new AppError({ code: 'unavailable', message: `The ledger entry ${entry.sequence} is not on record.`, retry: 'later' });
    },
    /** So that a blob goes only when no entry has it any more. */
    holdBlobs: ({ sequence, arguments: given, argumentsSent, result }: LedgerEntry): void => {
      for (const payload of [given, argumentsSent, result]) if (payload?.kind === 'blob') holdBlob.run(payload.sha256, sequence);
    },
    listOpen: (): readonly OpenOwner[] => selectOpen.all(),
  };
}
