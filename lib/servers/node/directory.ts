import type { ServerKey, ServerRecord } from '..';

/** The configured servers, wherever they stand; read anew at each question. */
export interface ServerDirectory {
  list(): readonly ServerRecord[];
  find(key: ServerKey): ServerRecord | undefined;
}
