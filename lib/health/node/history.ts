import { and, desc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { healthVerdicts, inboxReads, stateChanges, webhookDeliveries } from '@/db/schema';
import { systemClock, type Clock } from '@/lib/core';
import type { ServerStateName } from '@/lib/pool';
import { COLUMN_MS, PLOT_MS, isNews, type LastFailure, type LatencyColumn, type StateChange, type Verdict } from '..';

const DAY_MS = 24 * 60 * 60_000;
/** Samples that say nothing new are for the plots alone. */
const SAMPLES_KEPT_MS = 7 * DAY_MS;
/** A whole day of every server is summed up at most so often, in ms. */
const PLOTS_FRESH_MS = 10_000;

const columnSchema = z.array(
  z.object({ serverKey: z.string(), at: z.number(), meanMs: z.number().nullable(), maxMs: z.number().nullable(), unanswered: z.number() }),
);

interface HistoryOptions {
  readonly database: Database;
  /** What servers said is kept without secrets. */
  readonly redactor: { text(text: string): string };
  readonly clock?: Clock;
}

/** What the history knows of a server. */
export interface KnownHealth {
  /** The state of the newest verdict, and since when it is that. */
  readonly state: ServerStateName | null;
  readonly since: number | null;
  readonly lastFailure: LastFailure | null;
  readonly lastAskedAt: number | null;
  readonly latencyMs: number | null;
}

/** Verdicts over time: changes of state, and a sample for each check and test. They outlive restarts and servers. */
export class VerdictHistory {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly statements;
  private plots: { readonly readAt: number; readonly byKey: ReadonlyMap<string, readonly LatencyColumn[]> } | null = null;

  constructor(private readonly options: HistoryOptions) {
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
    this.statements = prepare(options.database);
  }

  /**
   * Keeps a verdict. What the connection tells by itself is kept only where the state is another than before.
   * @returns the change that people are to be told of, where it is one
   */
  record(verdict: Verdict): StateChange | null {
    const from = this.statements.newestChange.get({ key: verdict.serverKey })?.state ?? null;
    const isChange = from !== verdict.state;
    if (!isChange && verdict.source === 'connection') return null;
    const scrub = (said: string | null): string | null => (said === null ? null : this.options.redactor.text(said));
    const { serverKey, at, state, code } = verdict;
    const message = scrub(verdict.message);
    const remediation = scrub(verdict.remediation);
    return this.database.sqlite.transaction((): StateChange | null => {
      this.database.orm.insert(healthVerdicts).values({ ...verdict, message, remediation, isChange }).run();
      if (!isNews(from, state)) return null;
      const change = { serverKey, at, from, to: state, code, message, remediation };
      return { id: Number(this.database.orm.insert(stateChanges).values(change).run().lastInsertRowid), ...change };
    })();
  }

  /** Since when a server stands as it does, why it failed last, and how long its last answer took. */
  describe(key: string): KnownHealth {
    const newest = this.statements.newestChange.get({ key });
    const failure = this.statements.lastFailure.get({ key });
    const asked = this.statements.lastAsked.get({ key });
    return {
      state: newest?.state ?? null,
      since: newest?.at ?? null,
      lastFailure:
        failure?.code == null ? null : { at: failure.at, code: failure.code, message: failure.message ?? '', remediation: failure.remediation ?? '' },
      lastAskedAt: asked?.at ?? null,
      latencyMs: asked?.latencyMs ?? null,
    };
  }

  /** The last day of a server in columns of half an hour, the oldest first; those without a check are left out. */
  latency(key: string): readonly LatencyColumn[] {
    const now = this.clock.now();
    if (this.plots === null || now - this.plots.readAt > PLOTS_FRESH_MS) this.plots = { readAt: now, byKey: this.readPlots(now) };
    return this.plots.byKey.get(key) ?? [];
  }

  /** How many rests of a server began since then. */
  countRests(key: string, sinceAt: number): number {
    return this.statements.rests.get({ key, since: sinceAt })?.count ?? 0;
  }

  /** The newest changes of one server, the newest first. */
  listChanges(key: string, limit: number): readonly StateChange[] {
    return this.database.orm.select().from(stateChanges).where(eq(stateChanges.serverKey, key)).orderBy(desc(stateChanges.id)).limit(limit).all();
  }

  /** Removes samples older than a week, and changes older than `keepMs` with their marks and posts. */
  prune(keepMs: number): void {
    const now = this.clock.now();
    const { orm, sqlite } = this.database;
    sqlite.transaction(() => {
      orm.delete(healthVerdicts).where(and(lt(healthVerdicts.at, now - Math.min(SAMPLES_KEPT_MS, keepMs)), eq(healthVerdicts.isChange, false))).run();
      // The newest change of a server says since when it stands so, however old it is.
      orm.delete(healthVerdicts).where(and(lt(healthVerdicts.at, now - keepMs), sql`id NOT IN (SELECT max(id) FROM health_verdicts WHERE is_change = 1 GROUP BY server_key)`)).run();
      orm.delete(stateChanges).where(lt(stateChanges.at, now - keepMs)).run();
      orm.delete(webhookDeliveries).where(lt(webhookDeliveries.at, now - keepMs)).run();
      orm.delete(inboxReads).where(sql`change_id NOT IN (SELECT id FROM state_changes)`).run();
    })();
  }

  private readPlots(now: number): Map<string, LatencyColumn[]> {
    // Columns that begin at the same moments whenever they are read, so that a plot does not shimmer.
    const from = Math.floor((now - PLOT_MS) / COLUMN_MS) * COLUMN_MS;
    const rows = columnSchema.parse(this.statements.plots.all({ from, width: COLUMN_MS }));
    const byKey = new Map<string, LatencyColumn[]>();
    for (const { serverKey, ...column } of rows) {
      const columns = byKey.get(serverKey) ?? [];
      columns.push(column);
      byKey.set(serverKey, columns);
    }
    return byKey;
  }
}

function prepare({ orm, sqlite }: Database) {
  const ofKey = eq(healthVerdicts.serverKey, sql.placeholder('key'));
  const { at, state, code, message, remediation, latencyMs } = healthVerdicts;
  const newest = desc(healthVerdicts.id);
  return {
    // Written out: only then does SQLite see that its partial index serves.
    newestChange: orm.select({ at, state }).from(healthVerdicts).where(and(ofKey, sql`is_change = 1`)).orderBy(newest).limit(1).prepare(),
    lastFailure: orm.select({ at, code, message, remediation }).from(healthVerdicts).where(and(ofKey, isNotNull(code))).orderBy(newest).limit(1).prepare(),
    lastAsked: orm.select({ at, latencyMs }).from(healthVerdicts).where(and(ofKey, isNotNull(healthVerdicts.ok))).orderBy(newest).limit(1).prepare(),
    rests: orm
      .select({ count: sql<number>`count(*)` })
      .from(stateChanges)
      .where(and(eq(stateChanges.serverKey, sql.placeholder('key')), eq(stateChanges.to, 'resting'), gte(stateChanges.at, sql.placeholder('since'))))
      .prepare(),
    plots: sqlite.prepare(
      `SELECT server_key AS serverKey, at / :width * :width AS at, avg(latency_ms) AS meanMs, max(latency_ms) AS maxMs, sum(ok = 0) AS unanswered
       FROM health_verdicts INDEXED BY health_verdicts_at WHERE at >= :from AND ok IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  };
}
