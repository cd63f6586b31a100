import { isListOf, isNullOr, isNumber, isOwn, isShape, isText, requireShape } from '@/lib/core';
import type { ServerLogLine } from '@/lib/live';
import type { ConnectionTestResult, TestEvent } from '@/lib/testing-connections';
import type { ServerCardView } from './views';

// The console's own answers: their shape is that of the types, checked where they are made.
const isCards = isShape<{ cards: ServerCardView[] }>({ cards: isListOf(isOwn<ServerCardView>) });
const isTest = isShape<FollowedTestView>({ events: isListOf(isOwn<TestEvent>), result: isNullOr(isOwn<ConnectionTestResult>) });
const isLog = isShape<ServerLogView>({
  lines: isListOf(isOwn<ServerLogLine>), strayLines: isShape<ServerLogView['strayLines']>({ count: isNumber, first: isNullOr(isText) }),
});
const isStoredFile = isShape<{ path: string }>({ path: isText });
const isFailure = isShape<{ message: string }>({ message: isText });

export interface FollowedTestView {
  readonly events: readonly TestEvent[];
  readonly result: ConnectionTestResult | null;
}
export interface ServerLogView {
  readonly lines: readonly ServerLogLine[];
  readonly strayLines: { readonly count: number; readonly first: string | null };
}

export const fetchCards = async (signal?: AbortSignal): Promise<ServerCardView[]> => requireShape(await fetchJson('/api/servers', signal), isCards).cards;

/** A connection test with its events so far. */
export const fetchTest = async (key: string, testId: string, signal?: AbortSignal): Promise<FollowedTestView> =>
  requireShape(await fetchJson(`/api/servers/${encodeURIComponent(key)}/tests/${testId}`, signal), isTest);

/** What a server printed, as far as it is kept. */
export const fetchLog = async (key: string, signal?: AbortSignal): Promise<ServerLogView> =>
  requireShape(await fetchJson(`/api/servers/${encodeURIComponent(key)}/log`, signal), isLog);

/** Puts a file into the standing job of calls by hand; answers its path, as a local server opens it. */
export async function storeFile(file: File): Promise<string> {
  const response = await fetch(`/api/jobs/console/files?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file });
  return requireShape(await readAnswer(response), isStoredFile).path;
}

/** A read of the console; a refusal throws its sentence. */
export const fetchJson = async (address: string, signal?: AbortSignal): Promise<unknown> =>
  readAnswer(await fetch(address, { signal, headers: { accept: 'application/json' } }));

async function readAnswer(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  throw new Error(isFailure(body) ? body.message : `The console answered ${response.status}.`);
}
