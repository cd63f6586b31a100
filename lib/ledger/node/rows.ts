import { z } from 'zod';
import { ACTOR_KINDS } from '@/lib/auth';
import { OUTCOMES } from '@/lib/calls';
import { toEntryId } from '@/lib/core';
import { serverKeySchema } from '@/lib/servers';
import type { LedgerRow } from '..';
import { callIdSchema, runIdSchema } from './id-schemas';
import type { Scrubber } from './scrub';

/** What a list reads of an entry, in the names that `parseRow` takes. */
export const ROW_COLUMNS = `sequence, call_id AS callId, run_id AS runId, number, step, actor_kind AS actorKind, actor_name AS actorName,
  server_key AS serverKey, tool, exposed_name AS exposedName, plumbing, outcome, error_code AS errorCode,
  error_message AS errorMessage, result_bytes AS resultBytes, requested_at AS requestedAt, queued_at AS queuedAt,
  sent_at AS sentAt, finished_at AS finishedAt, attempts, last_cursor AS cursor`;

const at = z.int().nullable();

const rowSchema = z.object({
  sequence: z.int(),
  callId: callIdSchema,
  runId: runIdSchema,
  number: z.int(),
  step: z.string().nullable(),
  actorKind: z.enum(ACTOR_KINDS),
  actorName: z.string(),
  serverKey: serverKeySchema,
  tool: z.string(),
  exposedName: z.string().nullable(),
  plumbing: z.int().transform((flag) => flag !== 0),
  outcome: z.enum(OUTCOMES),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  resultBytes: z.int().nullable(),
  requestedAt: z.int(),
  queuedAt: at,
  sentAt: at,
  finishedAt: at,
  attempts: z.int(),
  cursor: z.int(),
});

/** A row and the cursor of its newest event. */
export interface CursoredRow {
  readonly cursor: number;
  readonly row: LedgerRow;
}

/** A selected row as lists and the live feed show it: scrubbed of everything shaped like a secret. */
export function parseRow(selected: unknown, scrubber: Scrubber): CursoredRow {
  const { cursor, number, ...row } = rowSchema.parse(selected);
  const errorMessage = row.errorMessage === null ? null : scrubber.text(row.errorMessage);
  return { cursor, row: { ...row, entryId: toEntryId(number), errorMessage } };
}
