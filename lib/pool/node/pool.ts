import { once } from 'node:events';
import { err, ok, type FieldError, type Result } from '@/lib/core';
import type { ServerSnapshot } from '@/lib/manifests';
import { isLocal, type ResolvedServer, type ServerEntry, type ServerKey } from '@/lib/servers';
import { explainFailure, type ConnectFailure, type ConnectFailureCode, type ServerState } from '..';
import { DEFAULT_BACKOFF } from './backoff';
import type { Connection, StrayLines } from './connection';
import { sweepLeftovers } from './processes/leftovers';
import { openConnection } from './set-up/open-connection';
import type { Acquired, Lease, PoolOptions, Purpose } from './pool-options';
import { ServerLog, type ServerLogLine } from './server-log';
import { SharedServer, type OpenShared } from './shared-server';
import { hasManifest, toSnapshot } from './lists/snapshot';
import { StartQueue } from './start-queue';

/** Product section 2: how long all may take to close. */
const CLOSE_MS = 8_000;
const IDLE_AFTER_MS = 10 * 60_000;

/**
 * The one pool of a server process: one shared connection for each resolved configuration, whoever asks.
 * A server's state comes from the events of its connection, never from its last success.
 */
export class Pool {
  private readonly shared = new Map<string, SharedServer>();
  /** Which configuration each key last resolved to. */
  private readonly fingerprints = new Map<ServerKey, string>();
  /** The keys of each configuration, as they were last asked for: every message asks. */
  private readonly keysByFingerprint = new Map<string, readonly ServerKey[]>();
  private readonly logs = new Map<ServerKey, ServerLog>();
  /** What is still closing, by key and by fingerprint: a new start of the same server waits for it. */
  private readonly closing = new Map<string, Promise<void>>();
  /** Configurations that a server was edited away from and whose connection is not closed yet. */
  private readonly left = new Set<{ readonly key: ServerKey; readonly fingerprint: string }>();
  private readonly starts = new StartQueue();
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Connects every enabled server whose `connect` is `start` and that is not connected; waits for none. */
  connectEnabled(): void {
    for (const { entry } of this.options.servers.list()) {
      if (!entry.enabled || entry.connect !== 'start') continue;
      this.starts.add(async () => {
        const shared = this.find(entry.key);
        if (shared.ok && !shared.value.isWaiting) await shared.value.connect();
        else if (!shared.ok) this.tell(entry.key);
      });
    }
  }

  /** The state in the words of product section 2, as of the last event. */
  state(key: ServerKey): ServerState {
    const entry = this.options.servers.find(key)?.entry;
    if (entry === undefined) return { name: 'untested' };
    if (!entry.enabled) return { name: 'disabled' };
    const resolved = this.resolve(entry);
    if (!resolved.ok) {
      return { name: 'failing', failure: resolved.error, since: this.options.clock.now(), attempt: 0, nextTryAt: null };
    }
    const rest = this.options.findRest?.(resolved.value.fingerprint) ?? null;
    if (rest !== null) return { name: 'resting', ...rest };
    const state = this.shared.get(resolved.value.fingerprint)?.state ?? { name: 'untested' };
    return (state.name === 'connected' ? this.options.findSilence?.(key, state.facts.connectedAt) : null) ?? state;
  }

  /** The open connection of a server, to look at: that opens none, and keeps none from becoming idle. */
  peek(key: ServerKey): Connection | null {
    const fingerprint = this.fingerprints.get(key);
    return fingerprint === undefined ? null : (this.shared.get(fingerprint)?.connection ?? null);
  }

  /** Whether connections can still be opened. */
  get isOpen(): boolean {
    return !this.isClosed;
  }

  /** What the server offered when it was last read, kept while it is idle or failing; null where it never was. */
  snapshot(key: ServerKey): ServerSnapshot | null {
    const entry = this.options.servers.find(key)?.entry;
    const resolved = entry && this.resolve(entry);
    if (!resolved?.ok) return this.options.snapshots.find(key)?.snapshot ?? null;
    const { fingerprint } = resolved.value;
    const live = this.shared.get(fingerprint)?.snapshot;
    if (live) return live;
    const kept = this.options.snapshots.find(key);
    return kept?.fingerprint === fingerprint ? kept.snapshot : null;
  }

  /**
   * A use of the server's shared connection, opened now where it is not; the failure where it cannot be. `background`
   * does not try while the backoff waits. The signal ends the waiting, not the attempt, which others may wait for.
   */
  async acquire(key: ServerKey, purpose: Purpose, signal: AbortSignal): Promise<Acquired> {
    const found = this.find(key);
    if (!found.ok) return found;
    const shared = found.value;
    if (purpose === 'background' && shared.isWaiting && shared.state.name === 'failing') return err(shared.state.failure);
    shared.take();
    const opened = await this.waitFor(shared, key, signal);
    if (opened.ok) return ok(toLease(shared, opened.value));
    shared.giveBack();
    return opened;
  }

  /** Connects where needed, reads lists and manifest again, and answers a lease with what was read. */
  async refresh(key: ServerKey, signal: AbortSignal): Promise<Acquired> {
    const acquired = await this.acquire(key, 'refresh', signal);
    if (!acquired.ok) return acquired;
    const { connection, release } = acquired.value;
    const lists = await connection.refreshLists(signal);
    const snapshot = toSnapshot(lists, await this.readManifest(connection, key, signal), this.options.clock.now());
    this.keepSnapshot(connection.fingerprint, snapshot);
    this.shared.get(connection.fingerprint)?.keep(connection, snapshot);
    return ok({ connection, snapshot, release });
  }

  /**
   * After an edit, a disable or a delete: ends the connection that the key used, unless an enabled server shares it,
   * and forgets its state; of a deleted server its log and traffic too. Resolves when no process of it is left.
   */
  async drop(key: ServerKey): Promise<void> {
    const fingerprint = this.fingerprints.get(key);
    this.fingerprints.delete(key);
    this.keysByFingerprint.clear();
    const shared = fingerprint === undefined ? undefined : this.shared.get(fingerprint);
    if (shared !== undefined && fingerprint !== undefined && !this.isUsedByOthers(fingerprint)) {
      this.shared.delete(fingerprint);
      this.remember(this.endLeft(shared, key, fingerprint), [key, fingerprint]);
    }
    if (this.options.servers.find(key) === undefined) {
      this.logs.delete(key);
      this.options.traffic.forget(key);
    }
    this.tell(key);
    await this.closing.get(key);
  }

  lines(key: ServerKey): readonly ServerLogLine[] {
    return this.logs.get(key)?.list() ?? [];
  }

  strayLines(key: ServerKey): StrayLines {
    const fingerprint = this.fingerprints.get(key);
    return (fingerprint === undefined ? undefined : this.shared.get(fingerprint)?.strayLines) ?? { count: 0, first: null };
  }

  /** Ends what crashed processes left; how many servers had something left. */
  sweepLeftovers(): Promise<number> {
    return sweepLeftovers(this.options.children);
  }

  /** Closes every connection at once, within 8 s; nothing is started after it. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.starts.clear();
    const ends = [...this.shared.values()].map((shared) => shared.end());
    this.shared.clear();
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([Promise.all([...ends, ...this.closing.values()]), bound]);
    clearTimeout(timer);
  }

  /** The shared server of a key; made where there is none yet. */
  private find(key: ServerKey): Result<SharedServer, ConnectFailure> {
    if (this.isClosed) return err(explainFailure('cancelled', { stage: 'config', server: key }));
    const entry = this.options.servers.find(key)?.entry;
    if (entry === undefined) {
      return err(explainFailure('config_invalid', { stage: 'config', server: key, said: 'there is no server of this key' }));
    }
    if (!entry.enabled) return err(explainFailure('disabled', { stage: 'config', server: key }));
    const resolved = this.resolve(entry);
    if (!resolved.ok) return resolved;
    const { fingerprint } = resolved.value;
    const before = this.fingerprints.get(key);
    if (before !== undefined && before !== fingerprint) void this.drop(key);
    if (before !== fingerprint) {
      this.fingerprints.set(key, fingerprint);
      this.keysByFingerprint.clear();
    }
    const existing = this.shared.get(fingerprint);
    if (existing) return ok(existing);
    const made = this.make(resolved.value, isLocal(entry));
    this.shared.set(fingerprint, made);
    return ok(made);
  }

  private make(resolved: ResolvedServer, isHere: boolean): SharedServer {
    const { clock, idleAfterMs = IDLE_AFTER_MS, backoff = DEFAULT_BACKOFF } = this.options;
    const { fingerprint } = resolved;
    return new SharedServer({
      resolved,
      clock,
      idleAfterMs,
      backoff,
      open: async (events, signal) => {
        await this.waitUntilClosed([fingerprint, ...this.listKeys(fingerprint)], signal);
        if (signal.aborted) return err(explainFailure('cancelled', { stage: 'config', server: resolved.key }));
        const { eraVerdicts, children, onStarted, traffic, open = openConnection } = this.options;
        const { onWire, end } = traffic.record({ keys: () => this.listRecorded(fingerprint), purpose: 'shared', secretValues: resolved.secretValues });
        const jobDirectory = isHere ? this.options.jobDirectory() : null;
        const opened = await open({ resolved, jobDirectory, eraVerdicts, children, clock, onStarted, onWire, ...events }, signal);
        if (opened.ok) opened.value.onGone(end);
        else end();
        return opened;
      },
      readSnapshot: async (connection, signal) => {
        const reading = await this.readManifest(connection, resolved.key, signal);
        const snapshot = toSnapshot(connection.lists, reading, clock.now());
        this.keepSnapshot(fingerprint, snapshot);
        return snapshot;
      },
      keepLists: (connection, { manifest, manifestProblem }) => {
        const snapshot = toSnapshot(connection.lists, { manifest, problem: manifestProblem }, clock.now());
        this.keepSnapshot(fingerprint, snapshot);
        return snapshot;
      },
      onLine: (line) => {
        for (const key of this.listRecorded(fingerprint)) this.findLog(key).add(line);
      },
      onChange: () => {
        for (const key of this.listKeys(fingerprint)) this.tell(key);
      },
      isWanted: () => this.listKeys(fingerprint).some((key) => this.options.servers.find(key)?.entry.connect === 'start'),
    });
  }

  /** What closes later may wait for this very attempt: whoever is given up waits for nothing more. */
  private async waitUntilClosed(names: readonly string[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const done = new AbortController();
    const aborted = once(signal, 'abort', { signal: done.signal }).catch(() => undefined);
    await Promise.race([Promise.all(names.map(async (name) => this.closing.get(name))), aborted]);
    done.abort();
  }

  private async waitFor(shared: SharedServer, key: ServerKey, signal: AbortSignal): Promise<Result<OpenShared, ConnectFailure>> {
    const givenUp = () => err(explainFailure('cancelled', { stage: 'config', server: key }));
    if (signal.aborted) return givenUp();
    let stop = () => undefined as void;
    const aborted = new Promise<ReturnType<typeof givenUp>>((resolve) => {
      stop = () => resolve(givenUp());
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([shared.connect(), aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private async readManifest(connection: Connection, key: ServerKey, signal: AbortSignal) {
    if (!hasManifest(connection.lists)) return { manifest: null, problem: null };
    return this.options.readManifest(connection, key, signal);
  }

  private keepSnapshot(fingerprint: string, snapshot: ServerSnapshot): void {
    for (const key of this.listKeys(fingerprint)) {
      this.options.snapshots.save(key, fingerprint, snapshot);
    }
  }

  private resolve(entry: ServerEntry): Result<ResolvedServer, ConnectFailure> {
    const resolved = this.options.resolve(entry, isLocal(entry) || entry.transport === 'stdio' ? this.options.jobDirectory() : null);
    return resolved.ok ? resolved : err(toUnresolved(entry.key, resolved.error));
  }

  private listKeys(fingerprint: string): readonly ServerKey[] {
    const known = this.keysByFingerprint.get(fingerprint);
    if (known !== undefined) return known;
    const keys = [...this.fingerprints].filter(([, used]) => used === fingerprint).map(([key]) => key);
    this.keysByFingerprint.set(fingerprint, keys);
    return keys;
  }

  /** Ends what a server was connected with before an edit; until that is over its messages are still the server's. */
  private async endLeft(shared: SharedServer, key: ServerKey, fingerprint: string): Promise<void> {
    const left = { key, fingerprint };
    this.left.add(left);
    await shared.end().finally(() => this.left.delete(left));
  }

  /** The servers that a message or a line of this configuration is kept for. */
  private listRecorded(fingerprint: string): readonly ServerKey[] {
    const keys = this.listKeys(fingerprint);
    if (this.left.size === 0) return keys;
    const left = [...this.left].filter(({ key, fingerprint: of }) => of === fingerprint && this.options.servers.find(key) !== undefined);
    return [...new Set([...keys, ...left.map(({ key }) => key)])];
  }

  private isUsedByOthers(fingerprint: string): boolean {
    return this.listKeys(fingerprint).some((key) => this.options.servers.find(key)?.entry.enabled === true);
  }

  private remember(ending: Promise<void>, names: readonly string[]): void {
    for (const name of names) {
      const all = Promise.all([this.closing.get(name), ending]).then(() => {
        if (this.closing.get(name) === all) this.closing.delete(name);
      });
      this.closing.set(name, all);
    }
  }

  private findLog(key: ServerKey): ServerLog {
    const known = this.logs.get(key);
    if (known) return known;
    const log = new ServerLog(key, (message) => this.options.bus.publish(message));
    this.logs.set(key, log);
    return log;
  }

  private tell(key: ServerKey): void {
    this.options.bus.publish({ type: 'server.changed', key });
  }
}

function toLease(shared: SharedServer, { connection, snapshot }: OpenShared): Lease {
  let isGivenBack = false;
  return {
    connection,
    snapshot,
    release: () => {
      if (isGivenBack) return;
      isGivenBack = true;
      shared.giveBack();
    },
  };
}

/** Fields that cannot be used, in one failure; told apart by whether a variable or a secret is what is missing. */
function toUnresolved(server: string, errors: readonly FieldError[]): ConnectFailure {
  const said = errors.map((error) => error.message).join(' ');
  const code: ConnectFailureCode = /\$\{|variable|secret/i.test(said) ? 'variable_unresolved' : 'config_invalid';
  return explainFailure(code, { stage: 'config', server, said, evidence: { detail: said } });
}
