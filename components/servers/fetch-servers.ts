import { z } from 'zod';
import { isObject } from '@/lib/core';
import type { ServerLogLine } from '@/lib/live';
import type { ConnectionTestResult, TestEvent } from '@/lib/testing-connections';
import type { ServerCardView } from './views';

// The console's own answers: their shape is that of the types, checked where they are made.
const cardsSchema = z.object({ cards: z.array(z.custom<ServerCardView>(isObject)) });
const testSchema = z.object({ events: z.array(z.custom<TestEvent>(isObject)), result: z.custom<ConnectionTestResult>(isObject).nullable() });
const logSchema = z.object({ lines: z.array(z.custom<ServerLogLine>(isObject)), strayLines: z.object({ count: z.number(), first: z.string().nullable() }) });
const storedFileSchema = z.object({ path: z.string() });
const failureSchema = z.object({ message: z.string() });

export type FollowedTestView = z.infer<typeof testSchema>;
export type ServerLogView = z.infer<typeof logSchema>;

export const fetchCards = async (signal?: AbortSignal): Promise<ServerCardView[]> => cardsSchema.parse(await fetchJson('/api/servers', signal)).cards;

/** A connection test with its events so far. */
export const fetchTest = async (key: string, testId: string, signal?: AbortSignal): Promise<FollowedTestView> =>
  testSchema.parse(await fetchJson(`/api/servers/${encodeURIComponent(key)}/tests/${testId}`, signal));

/** What a server printed, as far as it is kept. */
export const fetchLog = async (key: string, signal?: AbortSignal): Promise<ServerLogView> =>
  logSchema.parse(await fetchJson(`/api/servers/${encodeURIComponent(key)}/log`, signal));

/** Puts a file into the standing job of calls by hand; answers its path, as a local server opens it. */
export async function storeFile(file: File): Promise<string> {
  const response = await fetch(`/api/jobs/console/files?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file });
  return storedFileSchema.parse(await readAnswer(response)).path;
}

/** A read of the console; a refusal throws its sentence. */
export const fetchJson = async (address: string, signal?: AbortSignal): Promise<unknown> =>
  readAnswer(await fetch(address, { signal, headers: { accept: 'application/json' } }));

async function readAnswer(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const failure = failureSchema.safeParse(body);
  throw new Error(failure.success ? failure.data.message : `The console answered ${response.status}.`);
}
