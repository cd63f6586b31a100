import type { Database } from '@/db/client';
import type { Actor, Principal } from '@/lib/auth';
import type { Clock, JsonObject, Result } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ListedTool } from '@/lib/manifests';
import type { ServerKey, ServerRecord } from '..';
import type { ServerDirectory } from './directory';
import type { SaveProblem } from './save-problem';

export interface ServerStoreOptions {
  readonly database: Database;
  readonly audit: { record(actor: Actor, event: { type: string; subject: string; details: JsonObject }): void };
  readonly bus: { publish(message: LiveMessage): void };
  readonly clock: Clock;
  /** How the bundled server is started in this installation; null where there is none. */
  readonly bundled: { readonly command: string; readonly args: readonly string[] } | null;
}

/** What a person accepted: the tools as they are listed now, and which of them are exposed (null: all). */
export interface Review {
  readonly tools: readonly string[] | null;
  readonly listed: readonly ListedTool[];
}

/** The entries of the data directory. */
export declare class ServerStore implements ServerDirectory {
  constructor(options: ServerStoreOptions);
  list(): readonly ServerRecord[];
  find(key: ServerKey): ServerRecord | undefined;
  /** Call once at start: seeds the bundled server on a new install, refreshes its command otherwise. */
  ensureBundled(): void;
  create(input: unknown, principal: Principal, review?: Review): Result<ServerRecord, SaveProblem>;
  save(input: unknown, expectedRevision: number, principal: Principal): Result<ServerRecord, SaveProblem>;
  delete(key: ServerKey, principal: Principal): Result<ServerRecord, SaveProblem>;
  duplicate(key: ServerKey, newKey: string, principal: Principal): Result<ServerRecord, SaveProblem>;
  setEnabled(key: ServerKey, enabled: boolean, principal: Principal): Result<ServerRecord, SaveProblem>;
  markReviewed(key: ServerKey, review: Review, principal: Principal): Result<ServerRecord, SaveProblem>;
  restoreBundled(principal: Principal): Result<ServerRecord, SaveProblem>;
}
