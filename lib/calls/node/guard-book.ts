import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { guards } from '@/db/schema';
import { callIds, systemClock, type CallId, type Clock } from '@/lib/core';
import { isRunning, thisProcess } from '@/lib/ledger/node';
import { decideAdmission, foldOutcome, FRESH_GUARD, type Admission, type GuardLimits, type GuardState, type GuardVerdict } from '../guard';

const callId = z.string().transform((text, context) => {
  const id = callIds.parse(text);
  if (id !== undefined) return id;
  context.addIssue({ code: 'custom', message: 'a malformed id' });
  return z.NEVER;
});

const stateSchema: z.ZodType<GuardState> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('working'), unanswered: z.int() }),
  z.object({ kind: z.literal('resting'), untilAt: z.int(), unanswered: z.int() }),
  z.object({
    kind: z.literal('trying'),
    trial: z.object({ callId, processId: z.int(), startTicks: z.string() }),
    unanswered: z.int(),
  }),
]);

export interface Rest {
  readonly reason: string;
  readonly untilAt: number;
}

/** Counts and rests, kept in the data file: they hold across processes and starts. */
export class GuardBook {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly owner = thisProcess();
  /** Prepared: each call reads it three times. */
  private readonly find;

  constructor(options: { readonly database: Database; readonly clock?: Clock }) {
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
    this.find = this.database.orm
      .select({ state: guards.state })
      .from(guards)
      .where(eq(guards.fingerprint, sql.placeholder('fingerprint')))
      .prepare();
  }

  /** Whether a call may go now; makes it the trial where the rest is over. */
  admit(fingerprint: string, id: CallId): Admission {
    const call = { callId: id, ...this.owner };
    const decide = (): Admission => decideAdmission(this.read(fingerprint), call, this.clock.now(), isRunning);
    // The common case, a server that works, takes no lock.
    if (this.read(fingerprint).kind === 'working') return { kind: 'admitted', state: FRESH_GUARD };
    return this.inTransaction(() => {
      const admission = decide();
      if (admission.kind === 'admitted') this.write(fingerprint, admission.state);
      return admission;
    });
  }

  /** Books how a call ended. @returns whether the server began or ended a rest by it */
  settle(fingerprint: string, id: CallId, verdict: GuardVerdict, limits: GuardLimits): boolean {
    const fold = (state: GuardState): GuardState => foldOutcome(state, id, verdict, this.clock.now(), limits);
    const seen = this.read(fingerprint);
    if (isSame(seen, fold(seen))) return false;
    return this.inTransaction(() => {
      const before = this.read(fingerprint);
      const after = fold(before);
      this.write(fingerprint, after);
      return before.kind !== after.kind;
    });
  }

  /** The rest that a configuration is in; null where calls may go. */
  findRest(fingerprint: string): Rest | null {
    const state = this.read(fingerprint);
    if (state.kind !== 'resting' || state.untilAt <= this.clock.now()) return null;
    return { reason: `${state.unanswered} calls in a row were not answered.`, untilAt: state.untilAt };
  }

  private read(fingerprint: string): GuardState {
    const state = this.find.get({ fingerprint })?.state;
    return state === undefined ? FRESH_GUARD : stateSchema.parse(state);
  }

  private write(fingerprint: string, state: GuardState): void {
    const row = { state, changedAt: this.clock.now() };
    this.database.orm.insert(guards).values({ fingerprint, ...row }).onConflictDoUpdate({ target: guards.fingerprint, set: row }).run();
  }

  private inTransaction<Value>(run: () => Value): Value {
    return this.database.sqlite.transaction(run).immediate();
  }
}

const isSame = (a: GuardState, b: GuardState): boolean => JSON.stringify(a) === JSON.stringify(b);
