import { err, ok, type Clock, type Result } from '@/lib/core';
import type { ServerSnapshot } from '@/lib/manifests';
import type { ResolvedServer } from '@/lib/servers';
import { explainFailure, type ConnectFailure, type ConnectFailureCode, type ServerState } from '..';
import { decideWaitMs, type Backoff } from './backoff';
import type { Connection, PrintedLine, StrayLines } from './connection';

export interface SharedServerOptions {
  readonly resolved: ResolvedServer;
  readonly clock: Clock;
  readonly idleAfterMs: number;
  readonly backoff: Backoff;
  /** Opens a connection; waits for whatever of the same server is still closing. */
  readonly open: (
    events: {
      readonly onProgress: (text: string) => void;
      readonly onLine: (line: PrintedLine) => void;
      readonly onRemark: (text: string) => void;
    },
    signal: AbortSignal,
  ) => Promise<Result<Connection, ConnectFailure>>;
  /** Reads what the connection offers, the manifest included, and keeps it. */
  readonly readSnapshot: (connection: Connection, signal: AbortSignal) => Promise<ServerSnapshot>;
  /** Keeps what a connection offers after its lists changed. */
  readonly keepLists: (connection: Connection, before: ServerSnapshot) => ServerSnapshot;
  readonly onLine: (line: PrintedLine) => void;
  readonly onChange: () => void;
  /** Whether somebody wants it connected without asking: then it is tried again by itself. */
  readonly isWanted: () => boolean;
}

export interface OpenShared {
  readonly connection: Connection;
  readonly snapshot: ServerSnapshot;
}

/** Failures that no waiting mends: only a changed setting or a sign-in does. */
const LASTING: ReadonlySet<ConnectFailureCode> = new Set(['config_invalid', 'variable_unresolved', 'tls_client_key', 'closed_for_policy', 'unauthorized', 'disabled']);
/** A connection that held so long ends a row of failures. */
const STABLE_MS = 30_000;
const PROGRESS_EVERY_MS = 250;

/**
 * The one shared connection of a resolved configuration, through its whole life: opened once however many ask,
 * counted, closed when idle, tried again after a failure. Its state comes from events alone; those of a connection
 * that is no longer its own are not heard.
 */
export class SharedServer {
  state: Exclude<ServerState, { name: 'disabled' | 'resting' }> = { name: 'untested' };
  lastStrayLines: StrayLines = { count: 0, first: null };

  private current: OpenShared | null = null;
  private attempt: Promise<Result<OpenShared, ConnectFailure>> | null = null;
  private users = 0;
  private failures = 0;
  private failingSince: number | null = null;
  /** Of the connection before: never are there two processes of a server at once. */
  private closing: Promise<unknown> = Promise.resolve();
  /** Connections that ended and still wait for the answers of calls: they close by themselves, and nothing waits for them. */
  private draining: readonly Connection[] = [];
  private idleTimer: NodeJS.Timeout | null = null;
  private retryTimer: NodeJS.Timeout | null = null;
  private progressTimer: NodeJS.Timeout | null = null;
  private readonly ending = new AbortController();

  constructor(private readonly options: SharedServerOptions) {}

  get resolved(): ResolvedServer {
    return this.options.resolved;
  }

  get strayLines(): StrayLines {
    return this.current?.connection.strayLines ?? this.lastStrayLines;
  }

  get snapshot(): ServerSnapshot | null {
    return this.current?.snapshot ?? null;
  }

  get connection(): Connection | null {
    return this.current?.connection ?? null;
  }

  get isOver(): boolean {
    return this.ending.signal.aborted;
  }

  /** The open connection, opened now where it is not; whoever asks meanwhile gets the same attempt. */
  connect(): Promise<Result<OpenShared, ConnectFailure>> {
    if (this.isOver) return Promise.resolve(err(this.toGivenUp()));
    if (this.current !== null) return Promise.resolve(ok(this.current));
    this.attempt ??= this.open().finally(() => (this.attempt = null));
    return this.attempt;
  }

  /** Whether it waits between two tries, so that who did not ask for it does not try. */
  get isWaiting(): boolean {
    return this.retryTimer !== null;
  }

  take(): void {
    this.users += 1;
    this.stopIdling();
  }

  giveBack(): void {
    this.users -= 1;
    this.startIdling();
  }

  /** What the connection offers was read again. */
  keep(connection: Connection, snapshot: ServerSnapshot): void {
    if (this.current?.connection !== connection) return;
    this.current = { connection, snapshot };
    this.options.onChange();
  }

  /** Ends it for good; resolves when nothing of it is left. */
  async end(): Promise<void> {
    this.ending.abort();
    this.stopIdling();
    this.stopRetrying();
    if (this.progressTimer !== null) clearTimeout(this.progressTimer);
    if (this.current !== null) this.letGo(this.current.connection);
    await Promise.all([this.attempt, this.closing, ...this.draining.map((connection) => connection.close())]);
  }

  private async open(): Promise<Result<OpenShared, ConnectFailure>> {
    this.stopRetrying();
    const { signal } = this.ending;
    const since = this.options.clock.now();
    const attempt = this.failures + 1;
    const lastFailure = 'failure' in this.state ? this.state.failure : undefined;
    if (!signal.aborted) this.become({ name: 'starting', since, attempt, progress: null, ...(lastFailure !== undefined && { lastFailure }) });
    let isOpening = true;
    const onProgress = (progress: string) => {
      if (isOpening) this.showProgress(progress);
    };
    await this.closing;
    const { onLine } = this.options;
    const opened = await this.options.open({ onProgress, onLine, onRemark: (text) => this.remark(text) }, signal);
    isOpening = false;
    if (!opened.ok) return this.fail(opened.error);
    const connection = opened.value;
    let ended: ConnectFailure | null | undefined;
    connection.onClosed((failure) => {
      ended = failure;
      this.lose(connection, failure);
    });
    const snapshot = await this.options.readSnapshot(connection, signal);
    if (signal.aborted) {
      await connection.close();
      return err(this.toGivenUp());
    }
    if (ended !== undefined) return this.fail(ended ?? this.toGivenUp());
    this.current = { connection, snapshot };
    this.failingSince = null;
    connection.onListsChanged(() => this.followLists(connection));
    this.become({ name: 'connected', facts: connection.facts });
    this.startIdling();
    return ok(this.current);
  }

  private followLists(connection: Connection): void {
    if (this.current?.connection !== connection) return;
    this.keep(connection, this.options.keepLists(connection, this.current.snapshot));
  }

  private fail(failure: ConnectFailure): { readonly ok: false; readonly error: ConnectFailure } {
    if (!this.isOver) {
      this.failures += 1;
      this.becomeFailing(failure);
    }
    return err(failure);
  }

  /** The connection ended by itself while it was in use or idle. */
  private lose(connection: Connection, failure: ConnectFailure | null): void {
    if (this.current?.connection !== connection || this.isOver) return;
    this.letGo(connection);
    if (this.options.clock.now() - connection.facts.connectedAt > STABLE_MS) this.failures = 0;
    if (failure === null) return;
    if (failure.code === 'session_lost') {
      // The server is well and only forgot the session: the next call opens a new one.
      this.become({ name: 'idle', since: this.options.clock.now(), facts: connection.facts });
      return;
    }
    this.failures += 1;
    this.becomeFailing(failure);
  }

  private becomeFailing(failure: ConnectFailure): void {
    if (failure.code === 'unauthorized') return this.become({ name: 'sign_in_needed', failure });
    const { clock, backoff } = this.options;
    const triesAgain = this.options.isWanted() && !LASTING.has(failure.code);
    const waitMs = decideWaitMs(this.failures, backoff, Math.random(), failure.retryAfterMs);
    if (triesAgain) this.retryAfter(waitMs);
    this.failingSince ??= clock.now();
    this.become({ name: 'failing', failure, since: this.failingSince, attempt: this.failures, nextTryAt: triesAgain ? clock.now() + waitMs : null });
  }

  /** An installation prints many lines: the last of them is told now and then. */
  private showProgress(progress: string): void {
    if (this.state.name !== 'starting' || this.isOver) return;
    this.state = { ...this.state, progress };
    this.progressTimer ??= setTimeout(() => {
      this.progressTimer = null;
      this.options.onChange();
    }, PROGRESS_EVERY_MS);
  }

  private retryAfter(waitMs: number): void {
    this.stopRetrying();
    this.retryTimer = setTimeout(() => void this.connect(), waitMs);
    this.retryTimer.unref();
  }

  private startIdling(): void {
    if (this.users > 0 || this.current === null || this.isOver) return;
    this.stopIdling();
    this.idleTimer = setTimeout(() => this.becomeIdle(), this.options.idleAfterMs);
    this.idleTimer.unref();
  }

  private becomeIdle(): void {
    const { current } = this;
    if (current === null || this.users > 0) return;
    this.letGo(current.connection);
    this.failures = 0;
    this.become({ name: 'idle', since: this.options.clock.now(), facts: current.connection.facts });
  }

  private letGo(connection: Connection): void {
    this.lastStrayLines = connection.strayLines;
    this.current = null;
    this.stopIdling();
    if (connection.isDraining === true) this.draining = [...this.draining.filter(({ isDraining }) => isDraining), connection];
    else this.closing = connection.close();
    const { count } = connection.strayLines;
    if (count > 0) this.remark(`${count} ${count === 1 ? 'line' : 'lines'} on stdout, no protocol messages, were skipped while it was connected`);
  }

  /** A line of the console's own in the server's log. */
  private remark(text: string): void {
    this.options.onLine({ at: this.options.clock.now(), source: 'stdout', text: `(${text})` });
  }

  private stopIdling(): void {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.idleTimer = null;
  }

  private stopRetrying(): void {
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.retryTimer = null;
  }

  private become(state: SharedServer['state']): void {
    if (this.progressTimer !== null) clearTimeout(this.progressTimer);
    this.progressTimer = null;
    this.state = state;
    this.options.onChange();
  }

  private toGivenUp(): ConnectFailure {
    return explainFailure('cancelled', { stage: 'config', server: this.options.resolved.key });
  }
}
