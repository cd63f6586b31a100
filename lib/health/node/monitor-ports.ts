import type { Clock } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ServerState } from '@/lib/pool';
import type { Acquired, Connection } from '@/lib/pool/node';
import type { ServerKey, ServerRecord } from '@/lib/servers';
import type { HealthSettings, StateChange } from '..';
import type { VerdictHistory } from './history';

/** A connection as a check sees it. */
export type CheckedConnection = Pick<Connection, 'facts' | 'ping'>;

/** What the monitor stands on; in the console boot wires the one instance of each. */
export interface MonitorOptions {
  readonly servers: { list(): readonly ServerRecord[]; find(key: ServerKey): ServerRecord | undefined };
  readonly pool: {
    state(key: ServerKey): ServerState;
    /** The open connection, without using it: to look at it keeps no connection from becoming idle. */
    peek(key: ServerKey): CheckedConnection | null;
    acquire(key: ServerKey, purpose: 'background', signal: AbortSignal): Promise<Acquired>;
  };
  readonly history: Pick<VerdictHistory, 'record' | 'prune' | 'describe'>;
  readonly settings: () => HealthSettings;
  readonly bus: { publish(message: LiveMessage): void; subscribe(listener: (message: LiveMessage) => void): () => void };
  /** How many calls a server carries: while it is at one, it may answer nothing else. */
  readonly loadOf: (key: ServerKey) => { readonly inFlight: number };
  readonly onChange: (change: StateChange) => void;
  readonly log: { error(data: object, message: string): void };
  readonly clock?: Clock;
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number;
  /** How long an answer to a check may take, in ms. */
  readonly answerMs?: number;
}
