import { toCanonicalJson, type Json } from '@/lib/core';
import type { RemoteEntry, ServerEntry, StdioEntry } from './entry';

/**
 * The fields that a connection depends on: an edit of one drops the verdict of the last test, an edit of any
 * other keeps it (product section 3).
 */
const FIELDS = [
  'transport', 'command', 'args', 'env', 'cwd', 'env_allow', 'url', 'headers', 'token_env', 'auth', 'tls', 'proxy', 'era', 'sample_mount',
] as const satisfies readonly (keyof StdioEntry | keyof RemoteEntry)[];

export const CONNECTION_FIELDS: ReadonlySet<string> = new Set(FIELDS);

/** Whether two entries are reached in the same way. */
export const isSameConnection = (one: ServerEntry, other: ServerEntry): boolean =>
  toCanonicalJson(connectionOf(one)) === toCanonicalJson(connectionOf(other));

function connectionOf(entry: ServerEntry): Json {
  const stated = Object.entries(entry).flatMap(([field, value]): [string, Json][] =>
    CONNECTION_FIELDS.has(field) && value !== undefined ? [[field, toJson(value)]] : [],
  );
  return Object.fromEntries(stated);
}

/** Entries are JSON; the copy drops members that are undefined. */
const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));
