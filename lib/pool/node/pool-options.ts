import type { Clock, FieldError, Result } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ManifestReading, ServerSnapshot } from '@/lib/manifests';
import type { ResolvedServer, ServerEntry, ServerKey, ServerRecord } from '@/lib/servers';
import type { ConnectFailure, ServerState } from '..';
import type { ChildRecords } from './processes/child-records';
import type { Connection, OpenConnection, StartedCommand } from './connection';
import type { EraVerdicts } from './set-up/era-verdicts';
import type { TrafficBook } from './traffic/traffic';

/** The configured servers, read anew whenever the pool acts. */
interface ServerSource {
  list(): readonly ServerRecord[];
  find(key: ServerKey): ServerRecord | undefined;
}

/** Where what a server offered is kept between starts. */
export interface SnapshotSink {
  find(key: ServerKey): { readonly fingerprint: string; readonly snapshot: ServerSnapshot } | undefined;
  save(key: ServerKey, fingerprint: string, snapshot: ServerSnapshot): void;
}

export interface PoolOptions {
  readonly servers: ServerSource;
  readonly resolve: (entry: ServerEntry, jobDirectory: string | null) => Result<ResolvedServer, readonly FieldError[]>;
  /** The folder of the standing job `console`; a local server gets it as its only root. */
  readonly jobDirectory: () => string;
  readonly snapshots: SnapshotSink;
  readonly eraVerdicts: EraVerdicts;
  readonly children: ChildRecords;
  /** Reads `capabilities` through the call path; asked once per connection, when the lists are there. */
  readonly readManifest: (connection: Connection, key: ServerKey, signal: AbortSignal) => Promise<ManifestReading>;
  readonly bus: { publish(message: LiveMessage): void };
  readonly traffic: Pick<TrafficBook, 'record' | 'forget'>;
  readonly clock: Clock;
  readonly onStarted?: (started: StartedCommand) => void;
  /** Whether the guard rests this configuration; the state shown then is `resting`. */
  readonly findRest?: (fingerprint: string) => { readonly reason: string; readonly untilAt: number | null } | null;
  /** Whether the connection of that moment did not answer its last check; the state shown then is `failing`. */
  readonly findSilence?: (key: ServerKey, connectedAt: number) => Extract<ServerState, { readonly name: 'failing' }> | null;
  /** How long a shared connection stays open unused, ms; default 10 minutes. */
  readonly idleAfterMs?: number;
  /** Of the waits between tries that nobody asked for, ms; defaults 1 s and 5 minutes. */
  readonly backoff?: { readonly firstMs: number; readonly longestMs: number };
  /** For tests; default `openConnection`. */
  readonly open?: OpenConnection;
}

/** A use of the shared connection; while one is held the connection is not closed as idle. */
export interface Lease {
  readonly connection: Connection;
  readonly snapshot: ServerSnapshot;
  /** Gives it back; a second time does nothing. */
  readonly release: () => void;
}

/** Why a connection is asked for; `background` waits for the backoff, all others try at once. */
export type Purpose = 'call' | 'refresh' | 'read' | 'background';

export type Acquired = Result<Lease, ConnectFailure>;
