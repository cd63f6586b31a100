import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { isFinal } from '@/lib/calls';
import { systemClock, type Clock } from '@/lib/core';
import { prepareOutcomeCounts } from '@/lib/ledger/node';
import { addCalls, NO_CALLS, sumShares, type CallShare } from '..';

const MINUTE_MS = 60_000;
/** The span that the share is of, and the parts that it is counted in, in ms. */
const SPAN_MS = 24 * 60 * MINUTE_MS;
const PART_MS = 5 * MINUTE_MS;
/** A call that is open for longer than this will not change what is shown. */
const OPEN_MS = 60 * MINUTE_MS;
/** Between two counts of the newest parts, in ms. */
const FRESH_MS = 5_000;

type Shares = Map<string, CallShare>;

interface CallSharesOptions {
  readonly database: Database;
  readonly clock?: Clock;
}

/**
 * The calls of each server over the last day, by how they ended. Counted in parts that are remembered once all their
 * calls have ended, with a rest between two parts: a ledger of millions delays nobody.
 */
export class CallShares {
  private readonly parts = new Map<number, Shares>();
  private readonly clock: Clock;
  private readonly countOutcomes: ReturnType<typeof prepareOutcomeCounts>;
  private current: { readonly countedAt: number; readonly shares: Shares } | null = null;
  private counting: Promise<void> | null = null;

  constructor({ database, clock = systemClock }: CallSharesOptions) {
    this.clock = clock;
    this.countOutcomes = prepareOutcomeCounts(database);
  }

  /** As it was last counted. */
  find(key: string): CallShare {
    return this.current?.shares.get(key) ?? NO_CALLS;
  }

  /** Counts what has come since, where the last count is no longer fresh; whoever asks meanwhile waits for the same. */
  refresh(signal: AbortSignal): Promise<void> {
    if (this.current !== null && this.clock.now() - this.current.countedAt < FRESH_MS) return Promise.resolve();
    this.counting ??= this.count(signal).finally(() => (this.counting = null));
    return this.counting;
  }

  private async count(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const first = Math.floor((now - SPAN_MS) / PART_MS) * PART_MS;
    for (const at of this.parts.keys()) if (at < first) this.parts.delete(at);
    const total: Shares = new Map();
    for (let at = first; at <= now; at += PART_MS) {
      const known = this.parts.get(at);
      const part = known ?? this.read(at, now);
      for (const [key, share] of part) total.set(key, sumShares(total.get(key) ?? NO_CALLS, share));
      if (known === undefined) await yieldToOthers();
      // The data file may be closed by now.
      if (signal.aborted) return;
    }
    this.current = { countedAt: now, shares: total };
  }

  private read(at: number, now: number): Shares {
    const rows = this.countOutcomes(at, at + PART_MS);
    const shares: Shares = new Map();
    for (const { serverKey, outcome, wasSent, count } of rows) {
      shares.set(serverKey, addCalls(shares.get(serverKey) ?? NO_CALLS, outcome, wasSent, count));
    }
    const isOver = at + PART_MS < now && rows.every(({ outcome }) => isFinal(outcome));
    if (isOver || at + PART_MS < now - OPEN_MS) this.parts.set(at, shares);
    return shares;
  }
}
