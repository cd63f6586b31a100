import type { Database } from '@/db/client';
import type { AuditLog } from '@/lib/audit/node';
import type { Actor } from '@/lib/auth';
import type { Clock, Redactor } from '@/lib/core';
import type { ServerState } from '@/lib/pool';
import type { ServerKey } from '@/lib/servers';
import type { ConnectionTestResult } from '@/lib/testing-connections';
import { PLOT_MS, WEBHOOK_SECRET, type HealthRow, type HealthSettings, type ProcessUsage } from '..';
import { CallShares } from './call-shares';
import { ChangeInbox } from './change-inbox';
import { VerdictHistory } from './history';
import type { HealthMetrics } from './metrics';
import { HealthMonitor } from './monitor';
import type { MonitorOptions } from './monitor-ports';
import { postJson } from './post-json';
import { readProcessUsage } from './process-usage';
import { HealthSettingsStore } from './settings-store';
import { Webhook } from './webhook';

/** Between two counts of the calls of the last day, in ms: the first of a large ledger takes a while. */
const COUNT_EVERY_MS = 15_000;

export interface HealthOptions {
  readonly database: Database;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly bus: MonitorOptions['bus'];
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: MonitorOptions['log'];
  readonly servers: MonitorOptions['servers'];
  readonly pool: MonitorOptions['pool'];
  readonly loadOf: (key: ServerKey) => { readonly inFlight: number; readonly queued: number };
  readonly findSecret: (name: string) => string | undefined;
  /** Where the console is reached. */
  readonly origin: string;
  /** For the proxy that posts go through. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether metrics are read at all: nothing is counted where they are not. */
  readonly measures: boolean;
}

/** How the servers of a process are: the one source of what pages, metrics and the inbox tell of it. */
export class Health {
  readonly history: VerdictHistory;
  readonly settings: HealthSettingsStore;
  readonly inbox: ChangeInbox;
  readonly monitor: HealthMonitor;
  readonly webhook: Webhook;
  readonly shares: CallShares;
  private readonly closing = new AbortController();
  private measuring: Promise<HealthMetrics> | null = null;
  private counting: NodeJS.Timeout | null = null;

  constructor(private readonly options: HealthOptions) {
    const { database, audit, bus, clock, redactor, log, servers, pool, loadOf, findSecret, origin, environment } = options;
    this.history = new VerdictHistory({ database, redactor, clock });
    this.settings = new HealthSettingsStore({ database, audit, clock });
    this.inbox = new ChangeInbox({ database, clock });
    this.shares = new CallShares({ database, clock });
    this.webhook = new Webhook({
      database,
      findAddress: () => findSecret(WEBHOOK_SECRET),
      isOn: () => this.settings.read().webhook,
      redactor,
      origin,
      post: (url, body, signal) => postJson(url, body, environment, signal),
      onDelivered: () => bus.publish({ type: 'servers.changed' }),
      log,
      clock,
    });
    this.monitor = new HealthMonitor({
      servers,
      pool,
      history: this.history,
      settings: () => this.settings.read(),
      bus,
      loadOf,
      onChange: (change) => {
        this.webhook.announce(change);
        void this.measuring?.then((metrics) => metrics.noteChange(change));
      },
      log,
      clock,
    });
  }

  /** Begins to check servers, to count calls and to measure. */
  start(): void {
    this.monitor.start();
    this.count();
    this.counting = setInterval(() => this.count(), COUNT_EVERY_MS);
    this.counting.unref();
    if (this.options.measures) this.measuring = this.openMetrics();
  }

  /** Saves how servers are watched, and goes by it from now on. */
  saveSettings(settings: HealthSettings, actor: Actor): void {
    this.settings.save(settings, actor);
    this.monitor.setClocksAnew();
  }

  /** What Prometheus reads; null where nothing is measured. */
  metrics(): Promise<HealthMetrics> | null {
    return this.measuring;
  }

  /** Keeps what the test of a stored server found. */
  noteTest(key: ServerKey, { ok, latencyMs, finishedAt, failure }: ConnectionTestResult): void {
    if (failure?.code === 'cancelled') return;
    const { code = null, message = null, remediation = null } = failure ?? {};
    this.monitor.noteTest(key, { at: finishedAt, ok, latencyMs: latencyMs === null ? null : Math.round(latencyMs), code, message, remediation });
  }

  /** All that is known of how a server is, beside its state. */
  describe(key: ServerKey, state: ServerState): Pick<HealthRow, 'since' | 'lastFailure' | 'lastAskedAt' | 'latencyMs' | 'latency' | 'calls' | 'rests' | 'load' | 'connections' | 'process'> {
    const { state: keptState, since, lastFailure, lastAskedAt, latencyMs } = this.history.describe(key);
    return {
      since: keptState === state.name ? since : 'since' in state ? state.since : null,
      lastFailure,
      lastAskedAt,
      latencyMs,
      latency: this.history.latency(key),
      calls: this.shares.find(key),
      rests: this.history.countRests(key, this.options.clock.now() - PLOT_MS),
      load: this.options.loadOf(key),
      connections: this.options.pool.peek(key) === null ? 0 : 1,
      process: this.usageOf(key),
    };
  }

  /** Counts the calls of the last day anew where the last count is not fresh. */
  refreshShares(): Promise<void> {
    return this.shares.refresh(this.closing.signal);
  }

  /** Ends checks, posts and counts; no timer is left. */
  async close(): Promise<void> {
    this.closing.abort();
    if (this.counting !== null) clearInterval(this.counting);
    await Promise.all([this.monitor.close(), this.webhook.close(), this.measuring?.then((metrics) => metrics.close())]);
  }

  private usageOf(key: ServerKey): ProcessUsage | null {
    const processId = this.options.pool.peek(key)?.facts.processId ?? null;
    return processId === null ? null : readProcessUsage(processId);
  }

  private count(): void {
    this.refreshShares().catch((error: unknown) => {
      if (!this.closing.signal.aborted) this.options.log.error({ err: error }, 'the calls of the last day could not be counted');
    });
  }

  /** Loaded where it is wanted: a command needs none of it. */
  private async openMetrics(): Promise<HealthMetrics> {
    const { HealthMetrics } = await import('./metrics');
    const { database, bus, servers, pool, loadOf } = this.options;
    return new HealthMetrics({ database, bus, servers, state: (key) => pool.state(key), loadOf, usageOf: (key) => this.usageOf(key) });
  }
}
