import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { guards } from '@/db/schema';
import { assertNever, callIds, systemClock, type CallId, type Clock } from '@/lib/core';
import { isRunning, thisProcess } from '@/lib/ledger/node';
import {
  beginRest, decideAdmission, describeCause, endRest, foldOutcome, FRESH_GUARD, letNextThrough,
  type Admission, type GuardedEnd, type GuardLimits, type GuardState, type Pass, type RestCause,
} from '../guard';

const callId = z.string().transform((text, context) => {
  const id = callIds.parse(text);
  if (id !== undefined) return id;
  context.addIssue({ code: 'custom', message: 'a malformed id' });
  return z.NEVER;
});

const round = z.int().default(0);

const causeSchema: z.ZodType<RestCause> = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('unanswered'), calls: z.int(), last: z.object({ tool: z.string(), code: z.string() }).nullable() }),
    z.object({ kind: z.literal('asked'), reason: z.string() }),
  ])
  // A rest that an earlier version wrote has no cause.
  .default({ kind: 'unanswered', calls: 0, last: null });

const stateSchema: z.ZodType<GuardState> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('working'), round, unanswered: z.int() }),
  z.object({ kind: z.literal('resting'), round, untilAt: z.int(), cause: causeSchema }),
  z.object({ kind: z.literal('trying'), round, trial: z.object({ callId, processId: z.int(), startTicks: z.string() }), cause: causeSchema }),
]);

export interface Rest {
  readonly reason: string;
  /** null while one call tries the server: the others are refused until it has ended. */
  readonly untilAt: number | null;
}

/** Whether calls go, and why not, as pages show it. */
export type GuardStanding =
  | { readonly kind: 'working'; readonly unanswered: number }
  | { readonly kind: 'resting'; readonly reason: string; readonly untilAt: number }
  /** The rest is over, and the next call tries the server. */
  | { readonly kind: 'due'; readonly reason: string }
  | { readonly kind: 'trying'; readonly reason: string };

export interface GuardBookOptions {
  readonly database: Database;
  readonly clock?: Clock;
  /** A rest or a trial of this configuration began or ended by this process. */
  readonly onChange?: (fingerprint: string) => void;
}

/** Counts and rests, kept in the data file: they hold across processes and starts. */
export class GuardBook {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly onChange: (fingerprint: string) => void;
  private readonly owner = thisProcess();
  /** Prepared: each call reads it three times. */
  private readonly find;

  constructor(options: GuardBookOptions) {
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
    this.onChange = options.onChange ?? (() => undefined);
    this.find = this.database.orm
      .select({ state: guards.state })
      .from(guards)
      .where(eq(guards.fingerprint, sql.placeholder('fingerprint')))
      .prepare();
  }

  /** Whether a call may go now; makes it the trial where the rest is over. */
  admit(fingerprint: string, id: CallId): Admission {
    const call = { callId: id, ...this.owner };
    const decide = (state: GuardState): Admission => decideAdmission(state, call, this.clock.now(), isRunning);
    const seen = this.read(fingerprint);
    // The common case, a server that works, takes no lock.
    if (seen.kind === 'working') return decide(seen);
    let admission = decide(seen);
    this.change(fingerprint, (state) => {
      admission = decide(state);
      return admission.kind === 'admitted' ? admission.state : state;
    });
    return admission;
  }

  /** The pass of a call that no rest refuses, and that is no trial. */
  passFor(fingerprint: string, id: CallId): Pass {
    return { callId: id, round: this.read(fingerprint).round };
  }

  /** Books how a call ended. */
  settle(fingerprint: string, pass: Pass, end: GuardedEnd, limits: GuardLimits): void {
    this.change(fingerprint, (state) => foldOutcome(state, pass, end, this.clock.now(), limits));
  }

  /**
   * Lets calls rest until a time, whatever they came to; as after unanswered ones, one call tries the server then.
   * @param reason a sentence, shown with the rest: who asked for it, and why
   */
  rest(fingerprint: string, reason: string, untilAt: number): void {
    this.change(fingerprint, (state) => beginRest(state, { kind: 'asked', reason }, untilAt));
  }

  /** Ends the waiting: the next call is the trial. @returns false where nothing rests */
  letOneThrough(fingerprint: string): boolean {
    return this.change(fingerprint, (state) => letNextThrough(state, this.clock.now()));
  }

  /** Ends a rest without a trial: calls go again. @returns false where nothing rests */
  resume(fingerprint: string): boolean {
    return this.change(fingerprint, endRest);
  }

  /** The rest that a configuration is in; null where calls may go. */
  findRest(fingerprint: string): Rest | null {
    const standing = this.standing(fingerprint);
    switch (standing.kind) {
      case 'working':
      case 'due':
        return null;
      case 'resting':
        return { reason: standing.reason, untilAt: standing.untilAt };
      case 'trying':
        return { reason: `${standing.reason} One call is trying it just now.`, untilAt: null };
      default:
        return assertNever(standing);
    }
  }

  standing(fingerprint: string): GuardStanding {
    return toStanding(this.read(fingerprint), this.clock.now());
  }

  private read(fingerprint: string): GuardState {
    const state = this.find.get({ fingerprint })?.state;
    return state === undefined ? FRESH_GUARD : stateSchema.parse(state);
  }

  /** @returns whether the state is another one now */
  private change(fingerprint: string, decide: (state: GuardState) => GuardState): boolean {
    const seen = this.read(fingerprint);
    // Most calls change nothing, and take no lock for it.
    if (decide(seen) === seen) return false;
    const { before, after } = this.database.sqlite
      .transaction(() => {
        const before = this.read(fingerprint);
        const after = decide(before);
        if (after !== before) this.write(fingerprint, after);
        return { before, after };
      })
      .immediate();
    if (before.kind !== 'working' || after.kind !== 'working') this.onChange(fingerprint);
    return after !== before;
  }

  private write(fingerprint: string, state: GuardState): void {
    const row = { state, changedAt: this.clock.now() };
    this.database.orm.insert(guards).values({ fingerprint, ...row }).onConflictDoUpdate({ target: guards.fingerprint, set: row }).run();
  }
}

function toStanding(state: GuardState, now: number): GuardStanding {
  switch (state.kind) {
    case 'working':
      return { kind: 'working', unanswered: state.unanswered };
    case 'resting': {
      const reason = describeCause(state.cause);
      return state.untilAt > now ? { kind: 'resting', reason, untilAt: state.untilAt } : { kind: 'due', reason };
    }
    case 'trying':
      return isRunning(state.trial) ? { kind: 'trying', reason: describeCause(state.cause) } : { kind: 'due', reason: describeCause(state.cause) };
    default:
      return assertNever(state);
  }
}
