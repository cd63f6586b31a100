'use server';

import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { requireServer } from '@/app/server-view';
import type { SaveOutcome } from '@/components/servers/action';
import { may } from '@/lib/auth';
import { AppError, callIds, readArgumentsText, testIds, type FieldError } from '@/lib/core';
import { hashPin } from '@/lib/manifests/node';
import { parseServerEntry } from '@/lib/servers';
import { askServer } from './ask-server';
import { copySample } from './copy-sample';
import { connectAnew, requireListed, requireSaved, requireStored, requireWritable, settleSaved, toSaveOutcome } from './save';

const keySchema = z.object({ key: z.string() });
const fieldsSchema = z.record(z.string(), z.unknown());
const sequenceSchema = z.int().positive();

/** Adds a server. With a test of exactly this configuration that is its last test; with tools that were ticked of those which that showed, it is its review. */
export const createServer = defineAction({
  permission: 'servers.manage',
  input: z.object({ fields: fieldsSchema, testId: z.string().nullable(), tools: z.array(z.string()).nullable() }),
  run: async ({ fields, testId, tools }, { principal, runtime }): Promise<SaveOutcome> => {
    requireWritable(runtime);
    const saved = runtime.store.create(fields, principal, tools === null ? undefined : { tools, listed: requireListed(runtime, fields, testId) });
    if (saved.ok) await settleSaved(runtime, saved.value, testId);
    return toSaveOutcome(saved);
  },
});

/** Saves over the revision that was read. */
export const saveServer = defineAction({
  permission: 'servers.manage',
  input: z.object({ fields: fieldsSchema, testId: z.string().nullable(), revision: z.int() }),
  run: async ({ fields, testId, revision }, { principal, runtime }): Promise<SaveOutcome> => {
    requireStored(requireServer(runtime, String(fields['key'])));
    const saved = runtime.store.save(fields, revision, principal);
    if (saved.ok) await settleSaved(runtime, saved.value, testId);
    return toSaveOutcome(saved);
  },
});

/** Stores another address for a server elsewhere, such as the one that it redirects to; nothing else of it changes. */
export const changeAddress = defineAction({
  permission: 'servers.manage',
  input: keySchema.extend({ url: z.string().max(8192) }),
  run: async ({ key, url }, { principal, runtime }) => {
    const { entry, revision } = requireStored(requireServer(runtime, key));
    if (entry.transport === 'stdio') throw new AppError({ code: 'bad_input', message: `${key} is a program on this machine: it has no address.` });
    await connectAnew(runtime, requireSaved(runtime.store.save({ ...entry, url }, revision, principal)));
    return { key };
  },
});

export const deleteServer = defineAction({
  permission: 'servers.manage',
  input: keySchema,
  run: async ({ key }, { principal, runtime }) => {
    const { entry } = requireStored(requireServer(runtime, key));
    const deleted = requireSaved(runtime.store.delete(entry.key, principal));
    await runtime.pool.drop(deleted.entry.key);
    return { key };
  },
});

export const setEnabled = defineAction({
  permission: 'servers.manage',
  input: keySchema.extend({ enabled: z.boolean() }),
  run: async ({ key, enabled }, { principal, runtime }) => {
    const { entry } = requireStored(requireServer(runtime, key));
    await connectAnew(runtime, requireSaved(runtime.store.setEnabled(entry.key, enabled, principal)));
    return { key };
  },
});

/** Brings the bundled server back. */
export const restoreBundled = defineAction({
  permission: 'servers.manage',
  input: z.object({}),
  run: async (_input, { principal, runtime }) => {
    requireWritable(runtime);
    const restored = requireSaved(runtime.store.restoreBundled(principal));
    await connectAnew(runtime, restored);
    return { key: String(restored.entry.key) };
  },
});

/** Starts the staged test of a saved server, or of a form as it stands; what follows comes by the live stream. */
export const startTest = defineAction({
  permission: 'servers.manage',
  input: z.object({ key: z.string().nullable(), fields: fieldsSchema.nullable() }),
  run: async ({ key, fields }, { principal, runtime }): Promise<{ testId: string } | { fields: readonly FieldError[] }> => {
    if (fields === null) {
      const { entry, source } = requireServer(runtime, key ?? '');
      return { testId: runtime.tester.start(entry, { source, principal }) };
    }
    // A form that has no key yet can be tested all the same.
    const parsed = parseServerEntry({ ...fields, key: fields['key'] === undefined || fields['key'] === '' ? 'unsaved' : fields['key'] });
    return parsed.ok ? { testId: runtime.tester.start(parsed.value, { source: 'form', principal }) } : { fields: parsed.error };
  },
});

export const cancelTest = defineAction({
  permission: 'servers.manage',
  input: z.object({ testId: z.string() }),
  run: async ({ testId }, { runtime }) => {
    const id = testIds.parse(testId);
    return { cancelled: id !== undefined && runtime.tester.cancel(id) };
  },
});

/** Connects anew and reads the lists and the manifest. */
export const refreshServer = defineAction({
  permission: 'calls.make',
  input: keySchema,
  run: async ({ key }, { runtime }) => {
    const { entry } = requireServer(runtime, key);
    // Nobody waits for it: the live stream tells when it was read.
    void runtime.pool.refresh(entry.key, AbortSignal.timeout(150_000)).then((acquired) => {
      if (acquired.ok) acquired.value.release();
    });
    return { key };
  },
});

/** Starts a call by hand and returns at once; its button was its approval. */
export const startCall = defineAction({
  permission: 'calls.make',
  input: z.object({ key: z.string(), tool: z.string(), callId: z.string(), argumentsText: z.string(), tryAnyway: z.boolean() }),
  run: async ({ key, tool, callId, argumentsText, tryAnyway }, { principal, runtime }) => {
    const { entry } = requireServer(runtime, key);
    const id = callIds.parse(callId);
    if (id === undefined) throw new AppError({ code: 'bad_input', message: 'This is no id of a call: reload the page and try again.' });
    const read = readArgumentsText(argumentsText);
    if (!read.ok) {
      throw new AppError({ code: 'bad_input', message: `The arguments, line ${read.error.line}, column ${read.error.column}: ${read.error.message}` });
    }
    const operates = may(principal.role, 'servers.manage');
    const { sequence } = runtime.calls.start(
      {
        callId: id,
        serverKey: entry.key,
        tool,
        arguments: read.value,
        runId: principal.sessionRunId,
        totalMs: null,
        tryAnyway: tryAnyway && operates,
        requiresExposure: !operates,
      },
      principal,
    );
    return { sequence };
  },
});

export const cancelCall = defineAction({
  permission: 'calls.make',
  input: z.object({ sequence: sequenceSchema }),
  run: async ({ sequence }, { principal, runtime }) => {
    const entry = runtime.ledger.reader.find(sequence);
    return { cancelled: entry !== undefined && runtime.calls.cancel(entry.callId, principal) };
  },
});

export const readResource = defineAction({
  permission: 'calls.make',
  input: z.object({ key: z.string(), uri: z.string().min(1, 'Write the address of a resource.').max(8192) }),
  run: async ({ key, uri }, { runtime }) => ({
    result: await askServer(runtime, requireServer(runtime, key).entry.key, (connection, signal) => connection.readResource(uri, signal)),
  }),
});

export const getPrompt = defineAction({
  permission: 'calls.make',
  input: z.object({ key: z.string(), name: z.string(), arguments: z.record(z.string(), z.string()) }),
  run: async ({ key, name, arguments: given }, { runtime }) => ({
    result: await askServer(runtime, requireServer(runtime, key).entry.key, (connection, signal) => connection.getPrompt(name, given, signal)),
  }),
});

/** Accepts the tools as they are listed now, which takes their pins, and sets which of them are exposed. */
export const acceptReview = defineAction({
  permission: 'servers.manage',
  // `seen`: the fingerprints of what the person looked at; tools that changed meanwhile are looked at again.
  input: z.object({ key: z.string(), tools: z.array(z.string()).nullable(), seen: z.array(z.string()) }),
  run: async ({ key, tools, seen }, { principal, runtime }) => {
    const { entry } = requireStored(requireServer(runtime, key));
    const listed = runtime.pool.snapshot(entry.key)?.toolList.tools ?? [];
    const known = new Set(seen);
    if (listed.length !== known.size || listed.some((tool) => !known.has(hashPin(tool)))) {
      throw new AppError({ code: 'conflict', message: 'The tools of this server changed while you looked at them.', remedy: 'Look at the list again, then accept it.' });
    }
    requireSaved(runtime.store.markReviewed(entry.key, { tools, listed }, principal));
    return { key };
  },
});

/** Puts the harmless sample where the bundled server can open it. */
export const putSample = defineAction({
  permission: 'files.add',
  input: keySchema,
  run: async ({ key }, { runtime }) => {
    requireServer(runtime, key);
    return { path: await copySample(runtime), tool: 'identify_file' };
  },
});
