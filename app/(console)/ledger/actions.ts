'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import type { Runtime } from '@/lib/boot';
import { AppError, callIds, readArgumentsText } from '@/lib/core';
import { toDeletedSentence, type LedgerEntry } from '@/lib/ledger';
import { viewIdInput, viewNameInput } from './view-actions-input';

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
    const entry = requireEntry(sequence, runtime);
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
    const entry = requireEntry(sequence, runtime);
    return { cancelled: runtime.calls.cancel(entry.callId, principal) };
  },
});

/** Gives the filter that is set a name. */
export const saveView = defineAction({
  permission: 'ledger.see',
  input: z.object({ name: viewNameInput, search: z.string().max(10_000), shared: z.boolean() }),
  run: async (input, { principal, runtime, audit }) => {
    const id = runtime.ledger.views.save(input, principal, audit);
    revalidatePath('/ledger');
    return { id };
  },
});

export const changeView = defineAction({
  permission: 'ledger.see',
  input: z.object({ id: viewIdInput, name: viewNameInput.optional(), shared: z.boolean().optional() }),
  run: async ({ id, ...change }, { principal, runtime, audit }) => {
    runtime.ledger.views.change(id, change, principal, audit);
    revalidatePath('/ledger');
  },
});

export const removeView = defineAction({
  permission: 'ledger.see',
  input: z.object({ id: viewIdInput }),
  run: async ({ id }, { principal, runtime, audit }) => {
    runtime.ledger.views.remove(id, principal, audit);
    revalidatePath('/ledger');
  },
});

function requireEntry(sequence: number, { ledger }: Runtime): LedgerEntry {
  const entry = ledger.reader.find(sequence);
  if (entry !== undefined) return entry;
  const [first, ...others] = ledger.retention.findTombstones(sequence);
  if (first !== undefined) throw new AppError({ code: 'not_found', message: toDeletedSentence(sequence, [first, ...others]), remedy: 'Its arguments are gone: make the call from its tool’s page.' });
  throw new AppError({ code: 'not_found', message: `There is no entry ${sequence} in the ledger.`, remedy: 'Look for it in the ledger.' });
}
