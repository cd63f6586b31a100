import type { Clock, RunId } from '@/lib/core';
import type { CallFiles } from '@/lib/files/node';
import type { LiveMessage } from '@/lib/live';
import type { ServerSnapshot } from '@/lib/manifests';
import type { LedgerReader, LedgerWriter } from '@/lib/ledger/node';
import type { Acquired, Purpose } from '@/lib/pool/node';
import type { ServerKey, ServerRecord } from '@/lib/servers';
import type { GuardBook } from './guard-book';

/** What the call path stands on; in the console boot wires the one instance of each. */
export interface CallPathOptions {
  readonly writer: LedgerWriter;
  readonly reader: LedgerReader;
  readonly servers: { find(key: ServerKey): ServerRecord | undefined };
  readonly pool: {
    acquire(key: ServerKey, purpose: Purpose, signal: AbortSignal): Promise<Acquired>;
    snapshot(key: ServerKey): ServerSnapshot | null;
    peek(key: ServerKey): object | null;
  };
  readonly files: CallFiles;
  readonly guards: GuardBook;
  readonly bus: { publish(message: LiveMessage): void };
  /** Of the configuration as it resolves now; null where it does not resolve. */
  readonly fingerprintOf: (key: ServerKey) => string | null;
  /** The servers whose configuration resolves to a fingerprint now. */
  readonly keysOf: (fingerprint: string) => readonly ServerKey[];
  readonly exposedNameOf: (key: ServerKey, tool: string) => string | null;
  /** The run that the console's own calls belong to (its reading of manifests). */
  readonly consoleRun: () => RunId;
  readonly log: { error(data: object, message: string): void };
  readonly clock?: Clock;
}
