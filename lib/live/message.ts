import type { LedgerRow } from '@/lib/ledger';
import type { TestEvent } from '@/lib/testing-connections';

/**
 * What the one live stream carries. Ledger rows come from stored events and have a cursor, so a reconnect
 * misses and repeats nothing; the rest says what to read again or is only of the moment.
 */
export type LiveMessage =
  /** A row as it is after its newest event; `cursor` is that event's number in the feed. */
  | { readonly type: 'ledger.row'; readonly cursor: number; readonly row: LedgerRow }
  /** The state, test, tools or settings of this server changed: read it again. */
  | { readonly type: 'server.changed'; readonly key: string }
  | { readonly type: 'servers.changed' }
  /** How many calls this server carries in this process, and how many wait for a place. Not told for each call. */
  | { readonly type: 'server.load'; readonly key: string; readonly inFlight: number; readonly queued: number }
  /** A line of stderr, or a stray line of stdout, of this server. */
  | { readonly type: 'server.log'; readonly key: string; readonly line: ServerLogLine }
  /** Messages passed between the console and this server: read what came since. Not told for each. */
  | { readonly type: 'server.traffic'; readonly key: string }
  | { readonly type: 'test.event'; readonly testId: string; readonly event: TestEvent }
  /** The stream is in step with the store. */
  | { readonly type: 'caught_up'; readonly cursor: number };

export interface ServerLogLine {
  /** Rises within a server's log. */
  readonly number: number;
  readonly at: number;
  readonly source: 'stderr' | 'stdout';
  readonly text: string;
}
