import type { LiveMessage } from '@/lib/live';
import type { ServerSnapshot } from '@/lib/manifests';
import type { ServerKey } from '@/lib/servers';
import type { ServerState } from '..';
import type { StrayLines } from './connection';
import type { Acquired, PoolOptions, Purpose } from './pool-options';

type ServerLogLine = Extract<LiveMessage, { type: 'server.log' }>['line'];

/** The one pool of a server process: one shared connection for each resolved configuration. */
export declare class Pool {
  constructor(options: PoolOptions);
  /** Connects every enabled server whose `connect` is `start`, eight at a time; waits for none. */
  connectEnabled(): void;
  state(key: ServerKey): ServerState;
  snapshot(key: ServerKey): ServerSnapshot | null;
  acquire(key: ServerKey, purpose: Purpose, signal: AbortSignal): Promise<Acquired>;
  refresh(key: ServerKey, signal: AbortSignal): Promise<Acquired>;
  /** After an edit, a disable or a delete: closes what the key used, forgets its state. */
  drop(key: ServerKey): Promise<void>;
  lines(key: ServerKey): readonly ServerLogLine[];
  strayLines(key: ServerKey): StrayLines;
  sweepLeftovers(): Promise<number>;
  close(): Promise<void>;
}
