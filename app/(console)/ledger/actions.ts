'use server';

import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { AppError, callIds, readArgumentsText } from '@/lib/core';

const sequenceSchema = z.int().positive();

const callAgainSchema = z.object({
  sequence: sequenceSchema,
  callId: z.string().transform((text, context) => {
    const callId = callIds.parse(text);
    if (callId !== undefined) return callId;
    context.addIssue({ code: 'custom', message: 'This is no id of a call: reload the page and try again.' });
    return z.NEVER;
  }),
  argumentsText: z.string().transform((text, context) => {
    const read = readArgumentsText(text);
    if (read.ok) return read.value;
    context.addIssue({ code: 'custom', message: `Line ${read.error.line}, column ${read.error.column}: ${read.error.message}` });
    return z.NEVER;
  }),
});

/** Starts the tool of an entry again with the given arguments; what follows comes by the live stream. */
export const callAgain = defineAction({
  permission: 'calls.make',
  input: callAgainSchema,
  run: async ({ sequence, callId, argumentsText: given }, { principal, runtime }) => {
    const entry = runtime.ledger.reader.find(sequence);
    if (entry === undefined) throw noEntry(sequence);
    const started = runtime.calls.start(
      {
        callId,
        serverKey: entry.serverKey,
        tool: entry.tool,
        arguments: given,
        runId: principal.sessionRunId,
        totalMs: null,
        tryAnyway: false,
        requiresExposure: false,
      },
      principal,
    );
    return { sequence: started.sequence };
  },
});

/** Gives a running call up. */
export const cancelCall = defineAction({
  permission: 'calls.make',
  input: z.object({ sequence: sequenceSchema }),
  run: async ({ sequence }, { principal, runtime }) => {
    const entry = runtime.ledger.reader.find(sequence);
    if (entry === undefined) throw noEntry(sequence);
    return { cancelled: runtime.calls.cancel(entry.callId, principal) };
  },
});

const noEntry = (sequence: number): AppError =>
  new AppError({ code: 'not_found', message: `There is no entry ${sequence} in the ledger.`, remedy: 'Look for it in the ledger.' });
