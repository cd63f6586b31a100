import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { isFinal } from '@/lib/calls';
import type { LedgerRow } from '@/lib/ledger';
import type { LiveMessage } from '@/lib/live';
import { SERVER_STATES, type ServerState } from '@/lib/pool';
import { TRANSPORTS, type ServerKey, type ServerRecord } from '@/lib/servers';
import type { ProcessUsage, StateChange } from '..';

/** Servers that are counted each by its key; those beyond go together, so that no configuration makes labels without end. */
const MOST_SERVERS = 500;
const OTHER = 'other';
/** To count every entry takes time where there are millions. */
const COUNT_EVERY_MS = 60_000;
/** From a quick local answer to the longest that `total_s` allows by default, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

export interface MetricsOptions {
  readonly database: Database;
  readonly bus: { subscribe(listener: (message: LiveMessage) => void): () => void };
  readonly servers: { list(): readonly ServerRecord[] };
  readonly state: (key: ServerKey) => ServerState;
  readonly loadOf: (key: ServerKey) => { readonly inFlight: number; readonly queued: number };
  readonly usageOf: (key: ServerKey) => ProcessUsage | null;
}

/** What Prometheus reads: gauges as of the moment, and what was counted since the process began. */
export class HealthMetrics {
  readonly contentType: string;
  private readonly registry = new Registry();
  private readonly calls: Counter<'server' | 'outcome'>;
  private readonly durations: Histogram<'server'>;
  private readonly rests: Counter<'server'>;
  /** Calls of this process that are under way: each is counted once, when it ends. */
  private readonly open = new Set<number>();
  private readonly loop = monitorEventLoopDelay({ resolution: 20 });
  private readonly unsubscribe: () => void;
  private counted = { at: -Infinity, entries: 0 };
  /** The servers that have a label of their own. */
  private labels: ReadonlySet<string> = new Set();

  constructor(private readonly options: MetricsOptions) {
    const registers = [this.registry];
    this.contentType = this.registry.contentType;
    this.calls = new Counter({ name: 'signalbox_calls_total', help: 'Calls that ended, by outcome', labelNames: ['server', 'outcome'], registers });
    this.durations = new Histogram({
      name: 'signalbox_call_duration_seconds', help: 'From sending a call to its end', labelNames: ['server'], buckets: BUCKETS, registers,
    });
    this.rests = new Counter({ name: 'signalbox_server_rests_total', help: 'Rests that began', labelNames: ['server'], registers });
    this.addServerGauges();
    this.addProcessGauges();
    this.loop.enable();
    this.readLabels();
    this.unsubscribe = options.bus.subscribe((message) => {
      if (message.type === 'ledger.row') this.count(message.row);
      else if (message.type === 'servers.changed') this.readLabels();
    });
  }

  /** In the text format of Prometheus. */
  render(): Promise<string> {
    return this.registry.metrics();
  }

  noteChange({ serverKey, to }: StateChange): void {
    if (to === 'resting') this.rests.inc({ server: this.labelOf(serverKey) });
  }

  close(): void {
    this.unsubscribe();
    this.loop.disable();
  }

  private count({ sequence, serverKey, outcome, plumbing, sentAt, finishedAt }: LedgerRow): void {
    if (plumbing) return;
    if (!isFinal(outcome)) {
      this.open.add(sequence);
      return;
    }
    // A row is told again when something is added to an entry that ended.
    if (!this.open.delete(sequence)) return;
    const server = this.labelOf(serverKey);
    this.calls.inc({ server, outcome });
    if (sentAt !== null && finishedAt !== null) this.durations.observe({ server }, (finishedAt - sentAt) / 1000);
  }

  private labelOf(key: string): string {
    return this.labels.has(key) ? key : OTHER;
  }

  private readLabels(): void {
    this.labels = new Set(this.listed().map(({ entry }) => entry.key));
  }

  private listed(): readonly ServerRecord[] {
    return this.options.servers.list().slice(0, MOST_SERVERS);
  }

  private addServerGauges(): void {
    const { state, loadOf, usageOf } = this.options;
    const each = (set: (key: ServerKey) => void): void => this.listed().forEach(({ entry }) => set(entry.key));
    this.gauge('signalbox_server_state', 'The state of each server: 1 for the one that it is in', ['server', 'state'], (gauge) =>
      each((key) => {
        const current = state(key).name;
        for (const name of SERVER_STATES) gauge.set({ server: key, state: name }, name === current ? 1 : 0);
      }),
    );
    this.gauge('signalbox_calls_in_flight', 'Calls that a server is at', ['server'], (gauge) => each((key) => gauge.set({ server: key }, loadOf(key).inFlight)));
    this.gauge('signalbox_calls_queued', 'Calls that wait for a place', ['server'], (gauge) => each((key) => gauge.set({ server: key }, loadOf(key).queued)));
    this.gauge('signalbox_connections', 'Connections that are open', ['transport'], (gauge) => {
      for (const transport of TRANSPORTS) gauge.set({ transport }, 0);
      each((key) => {
        const current = state(key);
        if (current.name === 'connected') gauge.inc({ transport: current.facts.transport });
      });
    });
    this.gauge('signalbox_child_resident_bytes', 'Memory of a stdio server and of what it started', ['server'], (gauge) =>
      each((key) => {
        const usage = usageOf(key);
        if (usage !== null) gauge.set({ server: key }, usage.residentBytes);
      }),
    );
  }

  private addProcessGauges(): void {
    const { database } = this.options;
    this.gauge('signalbox_ledger_entries', 'Entries of the ledger, counted once a minute', [], (gauge) => gauge.set(this.countEntries()));
    this.gauge('signalbox_database_bytes', 'Size of the data file', [], (gauge) => {
      gauge.set(readNumber(database, 'SELECT page_count * page_size AS value FROM pragma_page_count(), pragma_page_size()'));
    });
    this.gauge('signalbox_blob_bytes', 'Size of the results and files that are kept beside it', [], (gauge) => {
      gauge.set(readNumber(database, 'SELECT coalesce(sum(size_bytes), 0) AS value FROM blobs'));
    });
    this.gauge('signalbox_event_loop_lag_seconds', 'How late timers of the console ring, since the last reading', ['quantile'], (gauge) => {
      for (const quantile of ['0.5', '0.99', '1']) gauge.set({ quantile }, (this.loop.percentile(Number(quantile) * 100) || 0) / 1e9);
      this.loop.reset();
    });
    this.gauge('process_resident_memory_bytes', 'Memory of the console', [], (gauge) => gauge.set(process.memoryUsage.rss()));
    this.gauge('process_start_time_seconds', 'When the console started', [], (gauge) => gauge.set(performance.timeOrigin / 1000));
  }

  /** What is no longer there is not told: each reading begins anew. */
  private gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[], read: (gauge: Gauge<Label>) => void): void {
    new Gauge({
      name, help, labelNames: [...labelNames], registers: [this.registry],
      collect() {
        this.reset();
        read(this);
      },
    });
  }

  private countEntries(): number {
    const now = performance.now();
    if (now - this.counted.at > COUNT_EVERY_MS) {
      this.counted = { at: now, entries: readNumber(this.options.database, 'SELECT count(*) AS value FROM ledger_entries') };
    }
    return this.counted.entries;
  }
}

const readNumber = ({ sqlite }: Database, query: string): number => z.object({ value: z.number() }).parse(sqlite.prepare(query).get()).value;
