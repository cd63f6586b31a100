import type { RemoteEntry, ServerEntry, StdioEntry } from './entry';
import { isSameValue } from './same-value';

/**
 * The fields that a connection depends on: an edit of one drops the verdict of the last test, an edit of any
 * other keeps it (product section 3).
 */
const FIELDS = [
  'transport', 'command', 'args', 'env', 'cwd', 'env_allow',
  'url', 'headers', 'token_env', 'auth', 'tls', 'proxy', 'era', 'sample_mount',
] as const satisfies readonly (keyof StdioEntry | keyof RemoteEntry)[];

export const CONNECTION_FIELDS: ReadonlySet<string> = new Set(FIELDS);

/** Whether two entries are reached in the same way. */
export const isSameConnection = (one: ServerEntry, other: ServerEntry): boolean =>
  isSameValue(connectionOf(one), connectionOf(other));

const connectionOf = (entry: ServerEntry): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entry).filter(([field]) => CONNECTION_FIELDS.has(field)));
