import { z } from 'zod';
import { ACTOR_KINDS } from '@/lib/auth';
import { OUTCOMES, type CallError } from '@/lib/calls';
import { FILE_KINDS, HANDING_WAYS, type OutputEnd } from '@/lib/files';
import { serverKeySchema } from '@/lib/servers';
import type { LedgerEvent } from '..';
import { callIdSchema, runIdSchema } from './id-schemas';

const at = z.int();

const storedPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inline'), json: z.string(), sizeBytes: z.int() }),
  z.object({ kind: z.literal('blob'), sha256: z.string(), sizeBytes: z.int(), preview: z.string() }),
]);

const callError: z.ZodType<CallError> = z.object({
  code: z.string(),
  message: z.string(),
  remediation: z.string().nullable(),
  remediationBy: z.enum(['server', 'console']),
  httpStatus: z.number().nullable(),
  details: z.unknown(),
  rpcCode: z.number().nullable(),
  readFromText: z.boolean(),
});

const opening = z.object({
  callId: callIdSchema,
  runId: runIdSchema,
  number: z.int(),
  step: z.string().nullable(),
  actorKind: z.enum(ACTOR_KINDS),
  actorName: z.string(),
  serverKey: serverKeySchema,
  tool: z.string(),
  exposedName: z.string().nullable(),
  plumbing: z.boolean(),
  policy: z.string().nullable(),
  arguments: storedPayload.nullable(),
});

const note = z.object({
  at,
  kind: z.enum(['progress', 'log']),
  text: z.string(),
  progress: z.number().nullable(),
  total: z.number().nullable(),
});

const handing = z.object({
  reference: z.string(),
  sha256: z.string(),
  sizeBytes: z.int(),
  name: z.string(),
  kind: z.enum(FILE_KINDS),
  way: z.enum(HANDING_WAYS),
  path: z.string(),
  degradation: z.string().nullable(),
});

const output: z.ZodType<OutputEnd> = z.discriminatedUnion('taken', [
  z.object({ taken: z.literal(true), output: z.string(), path: z.string(), name: z.string(), sha256: z.string(), sizeBytes: z.int() }),
  z.object({ taken: z.literal(false), output: z.string(), path: z.string().nullable(), words: z.string() }),
]);

const eventSchema: z.ZodType<LedgerEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call.opened'), at, opening }),
  z.object({ type: z.literal('call.queued'), at, ahead: z.int() }),
  z.object({ type: z.literal('call.handed'), at, handing }),
  z.object({ type: z.literal('call.sent'), at, attempt: z.int(), era: z.enum(['legacy', 'modern']), argumentsSent: storedPayload.nullable() }),
  z.object({ type: z.literal('call.answering'), at }),
  z.object({ type: z.literal('call.progressed'), at, note }),
  z.object({ type: z.literal('call.warned'), at, warning: z.string() }),
  z.object({ type: z.literal('call.finished'), at, outcome: z.enum(OUTCOMES), error: callError.nullable(), result: storedPayload.nullable() }),
  z.object({ type: z.literal('call.answered_late'), at, result: storedPayload.nullable() }),
  z.object({ type: z.literal('call.read_back'), at, output }),
]);

/** An event as it is stored; it throws on what no writer of this product wrote. */
export const parseStoredEvent = (event: unknown): LedgerEvent => eventSchema.parse(event);
