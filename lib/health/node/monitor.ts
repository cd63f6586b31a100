import { isFinal } from '@/lib/calls';
import { systemClock, type Clock } from '@/lib/core';
import type { LedgerRow } from '@/lib/ledger';
import type { LiveMessage } from '@/lib/live';
import type { ConnectFailure, ServerState } from '@/lib/pool';
import { isServerKey, type ServerEntry, type ServerKey } from '@/lib/servers';
import { isKept, toReason, type Verdict } from '..';
import { Alarms } from './alarms';
import type { CheckedConnection, MonitorOptions } from './monitor-ports';
import { Silences, toSilentFailure, type SilentState } from './silences';

const ANSWER_MS = 10_000;
/** Longer than any server's own clock of setting up: it is what gives up first. */
const SET_UP_MS = 150_000;
const PRUNE_EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Of the interval, more or less, so that servers are not checked in step. */
const JITTER = 0.2;
/** Beyond so many intervals without a check the monitor itself does not work. */
const STALE_INTERVALS = 3;

/**
 * Checks every enabled server on a clock of its own and keeps how it stands. A check is no call: it counts for no
 * guard, waits for none, and wakes no stdio server that is idle unless the settings say so. What the connections tell
 * by themselves is kept as well.
 */
export class HealthMonitor {
  private readonly checks = new Alarms<ServerKey>();
  /** For the ends of rests, which nothing else announces. */
  private readonly rests = new Alarms<ServerKey>();
  private readonly silences = new Silences();
  private readonly closing = new AbortController();
  private readonly running = new Map<ServerKey, Promise<void>>();
  private readonly clock: Clock;
  private unsubscribe: (() => void) | null = null;
  private pruning: NodeJS.Timeout | null = null;
  private lastCheckAt = 0;

  constructor(private readonly options: MonitorOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** Begins to check; at once it only looks at how each server stands. */
  start(): void {
    this.lastCheckAt = this.clock.now();
    this.unsubscribe = this.options.bus.subscribe((message) => this.guarded(() => this.take(message)));
    this.prune();
    this.pruning = setInterval(() => this.prune(), PRUNE_EVERY_MS);
    this.pruning.unref();
    for (const { entry } of this.options.servers.list()) this.follow(entry.key);
  }

  /** Whether checks still come when they are due, in a process that has servers to check. */
  get works(): boolean {
    if (this.closing.signal.aborted || this.unsubscribe === null) return false;
    const staleMs = this.options.settings().interval_s * 1000 * STALE_INTERVALS + SET_UP_MS;
    return this.checks.size === 0 || this.clock.now() - this.lastCheckAt < staleMs;
  }

  /** The state of a connected server that did not answer its last check; null where it answered, or was not asked. */
  findSilence(key: ServerKey, connectedAt: number): SilentState | null {
    return this.silences.find(key, connectedAt);
  }

  /** Checks a server now, whatever its clock says; a check that runs already is the one. */
  check(key: ServerKey): Promise<void> {
    const running = this.running.get(key);
    if (running !== undefined) return running;
    const fresh = this.perform(key)
      .catch((error: unknown) => this.tellBroken(error))
      .finally(() => this.running.delete(key));
    this.running.set(key, fresh);
    return fresh;
  }

  /** The interval is another one: every server waits that long from now, or less. */
  setClocksAnew(): void {
    for (const key of this.checks.keys()) this.schedule(key, (this.options.random ?? Math.random)());
  }

  /** A connection test of a stored server ended. */
  noteTest(key: ServerKey, test: Pick<Verdict, 'at' | 'ok' | 'latencyMs' | 'code' | 'message' | 'remediation'>): void {
    // A test has a connection of its own: it says how the server answers, not how the shared connection stands.
    const current = this.options.pool.state(key).name;
    const known = isKept(current) ? current : this.options.history.describe(key).state;
    this.keep({ serverKey: key, source: 'test', state: known ?? (test.ok ? 'connected' : 'failing'), ...test });
    if (test.ok === true && this.unsubscribe !== null) void this.check(key);
  }

  /** Ends: nothing is checked any more and no timer is left. */
  async close(): Promise<void> {
    this.closing.abort();
    this.unsubscribe?.();
    this.checks.clear();
    this.rests.clear();
    if (this.pruning !== null) clearInterval(this.pruning);
    await Promise.allSettled(this.running.values());
  }

  private take(message: LiveMessage): void {
    switch (message.type) {
      case 'server.changed':
        if (isServerKey(message.key)) this.follow(message.key);
        return;
      case 'servers.changed': {
        const keys = new Set(this.options.servers.list().map(({ entry }) => entry.key));
        for (const key of this.checks.keys()) if (!keys.has(key)) this.forget(key);
        for (const key of keys) this.follow(key);
        return;
      }
      case 'ledger.row':
        return this.takeRow(message.row);
      default:
    }
  }

  /** What a server answers ends its silence; a call that it did not answer is a reason to look. */
  private takeRow({ serverKey, outcome, finishedAt }: LedgerRow): void {
    if (finishedAt === null || !isFinal(outcome) || !isServerKey(serverKey)) return;
    if (outcome === 'ok' || outcome === 'tool_error' || outcome === 'protocol_error') {
      if (this.silences.end(serverKey, finishedAt)) this.tell(serverKey);
    } else if (outcome === 'timeout') void this.check(serverKey);
  }

  /** Looks at how a server stands, and sees to its clock. */
  private follow(key: ServerKey): void {
    if (this.closing.signal.aborted) return;
    const entry = this.options.servers.find(key)?.entry;
    if (entry === undefined) return this.forget(key);
    this.observe(key);
    if (!entry.enabled) this.checks.stop(key);
    else if (!this.checks.has(key)) this.schedule(key, (this.options.random ?? Math.random)());
  }

  private forget(key: ServerKey): void {
    this.checks.stop(key);
    this.rests.stop(key);
    this.silences.forget(key);
  }

  private observe(key: ServerKey): void {
    const state = this.options.pool.state(key);
    if (state.name === 'resting' && state.untilAt !== null) {
      this.rests.set(key, state.untilAt - this.clock.now() + 1, () => this.tell(key));
    } else this.rests.stop(key);
    if (isKept(state.name)) this.keep({ ...this.toVerdict(key, state), source: 'connection', ok: null, latencyMs: null });
  }

  /** @param share of the interval to wait */
  private schedule(key: ServerKey, share: number): void {
    if (this.closing.signal.aborted) return;
    this.checks.set(key, this.intervalMs * share, () => {
      void this.check(key).then(() => {
        if (this.options.servers.find(key)?.entry.enabled === true) this.schedule(key, this.jitter());
        else this.checks.stop(key);
      });
    });
  }

  private async perform(key: ServerKey): Promise<void> {
    this.lastCheckAt = this.clock.now();
    const entry = this.options.servers.find(key)?.entry;
    if (entry?.enabled !== true || this.closing.signal.aborted) return;
    const connection = this.options.pool.peek(key);
    if (connection !== null) await this.ping(key, connection);
    else if (this.maySetUp(entry, this.options.pool.state(key))) await this.setUp(key);
    else this.observe(key);
  }

  private async ping(key: ServerKey, connection: CheckedConnection): Promise<void> {
    const { loadOf, answerMs = ANSWER_MS } = this.options;
    const wasAtWork = loadOf(key).inFlight > 0;
    const sentAt = this.clock.now();
    const began = performance.now();
    const answer = await connection.ping(AbortSignal.any([this.closing.signal, AbortSignal.timeout(answerMs)]));
    if (this.closing.signal.aborted) return;
    switch (answer.kind) {
      case 'result':
      case 'rpc_error':
      case 'too_large':
        if (this.silences.end(key, this.clock.now())) this.tell(key);
        return this.sample(key, true, Math.round(performance.now() - began));
      case 'aborted': {
        // At a call it may well answer nothing else; only a server with nothing to do is silent.
        if (!answer.sent || wasAtWork || loadOf(key).inFlight > 0) return;
        return this.fail(key, connection, sentAt, toSilentFailure(key, answerMs));
      }
      case 'not_sent':
        // Too many requests: whoever says so lives.
        return answer.retryAfterMs === undefined ? this.fail(key, connection, sentAt, answer.failure) : undefined;
      case 'lost':
        return this.fail(key, connection, sentAt, answer.failure);
      case 'protocol_error':
        return answer.failure === undefined ? undefined : this.fail(key, connection, sentAt, answer.failure);
    }
  }

  /** A connection over HTTP stands for as long as nobody asks: that its server is gone is seen by a check. */
  private fail(key: ServerKey, { facts }: CheckedConnection, sentAt: number, failure: ConnectFailure): void {
    const now = this.clock.now();
    // The next call opens a new session, and the server is well.
    if (failure.code === 'session_lost') return;
    this.silences.note(key, facts.connectedAt, { sentAt, now, failure, nextCheckAt: now + Math.round(this.intervalMs) });
    this.tell(key);
    this.sample(key, false, null);
  }

  private async setUp(key: ServerKey): Promise<void> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(SET_UP_MS)]);
    const acquired = await this.options.pool.acquire(key, 'background', signal);
    if (acquired.ok) acquired.value.release();
    if (this.closing.signal.aborted) return;
    this.sample(key, acquired.ok, acquired.ok ? Math.round(acquired.value.connection.latencyMs) : null);
  }

  /** Whether a server that is not connected is connected for a check. */
  private maySetUp(entry: ServerEntry, state: ServerState): boolean {
    const { wake_idle: wakesIdle } = this.options.settings();
    const isElsewhere = entry.transport !== 'stdio';
    switch (state.name) {
      case 'idle':
        return isElsewhere || wakesIdle;
      case 'untested':
        return isElsewhere ? entry.connect === 'start' || wakesIdle : wakesIdle;
      case 'failing':
        // Where it is tried again anyway, the backoff has its own pace.
        return state.nextTryAt === null && (isElsewhere || wakesIdle);
      case 'disabled':
      case 'starting':
      case 'connected':
      case 'resting':
      case 'sign_in_needed':
        return false;
    }
  }

  /** Keeps what a check found, with the state as it stands now. */
  private sample(key: ServerKey, ok: boolean, latencyMs: number | null): void {
    if (this.options.servers.find(key) === undefined) return;
    const state = this.options.pool.state(key);
    if (isKept(state.name)) this.keep({ ...this.toVerdict(key, state), source: 'check', ok, latencyMs });
  }

  private toVerdict(key: ServerKey, state: ServerState): Pick<Verdict, 'serverKey' | 'at' | 'state' | 'code' | 'message' | 'remediation'> {
    return { serverKey: key, at: this.clock.now(), state: state.name, ...toReason(state) };
  }

  private keep(verdict: Verdict): void {
    this.guarded(() => {
      const change = this.options.history.record(verdict);
      if (change === null) return;
      this.options.onChange(change);
      this.options.bus.publish({ type: 'server.changed', key: verdict.serverKey });
    });
  }

  private tell(key: ServerKey): void {
    this.options.bus.publish({ type: 'server.changed', key });
  }

  private prune(): void {
    this.guarded(() => this.options.history.prune(this.options.settings().keep_days * DAY_MS));
  }

  private get intervalMs(): number {
    return this.options.settings().interval_s * 1000;
  }

  private jitter(): number {
    return 1 + ((this.options.random ?? Math.random)() * 2 - 1) * JITTER;
  }

  /** What goes wrong in keeping a verdict is the monitor's own trouble, not that of whoever changed a server. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.tellBroken(error);
    }
  }

  private tellBroken(error: unknown): void {
    if (!this.closing.signal.aborted) this.options.log.error({ err: error }, 'the health of a server could not be looked at');
  }
}
