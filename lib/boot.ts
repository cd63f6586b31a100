import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Database } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { AuditLog } from '@/lib/audit/node';
import { Accounts } from '@/lib/auth/node';
import { CallPath, GuardBook, GuardWatch } from '@/lib/calls/node';
import { AppError, err, systemClock, type Clock, type FieldError, type Redactor, type Result } from '@/lib/core';
import { BlobStore, CONSOLE_JOB, JobDirectories, openCallFiles } from '@/lib/files/node';
import { Health } from '@/lib/health/node';
import { indexMissingEntries, indexOlderEntries, LedgerReader, LedgerRetention, LedgerWriter, RetentionJob, RunStore, thisProcess, isRunning, ViewStore } from '@/lib/ledger/node';
import { LiveBus } from '@/lib/live/node';
import { Selector } from '@/lib/packs/node';
import { PinStore, SnapshotStore } from '@/lib/manifests/node';
import { FileNames, StoredNames, type ExposedNames } from '@/lib/permissions/node';
import { Pool, StoredChildRecords, StoredEraVerdicts, TrafficBook, type SnapshotSink } from '@/lib/pool/node';
import { RunReader } from '@/lib/runs/node';
import type { ResolvedServer, ServerEntry, ServerKey } from '@/lib/servers';
import { resolveServer, ServerStore, type ServerDirectory } from '@/lib/servers/node';
import { ConnectionTester } from '@/lib/testing-connections/node';
import { SecretRedactor, Vault } from '@/lib/vault/node';
import type { Environment } from './env';
import { createLogger, type Logger } from './log';
import { toConsoleOrigin } from './console-origin';
import { MemorySnapshots, NamingSnapshots } from './boot.snapshots';

/** The standing actor of what nobody in particular does. */
const CONSOLE_ACTOR = { kind: 'console', name: 'console' } as const;

/** How long a server that a test found working may take to connect, in ms. */
const RECONNECT_MS = 150_000;

/** How long calls may take to end by a cancel before their connections are closed, in ms; the pool has its own bound. */
const CANCEL_MS = 1500;

/** Everything that must be single in a process, made and closed together. */
export interface Runtime {
  readonly env: Environment;
  readonly log: Logger;
  readonly db: Database;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly bus: LiveBus;
  readonly audit: AuditLog;
  readonly vault: Vault;
  /** The servers in force: the stored ones, or those of a `--config` file. */
  readonly servers: ServerDirectory;
  /** The stored servers, for writing. */
  readonly store: ServerStore;
  readonly pool: Pool;
  /** What passed between this process and its servers. */
  readonly traffic: TrafficBook;
  readonly tester: ConnectionTester;
  readonly ledger: {
    readonly reader: LedgerReader;
    readonly writer: LedgerWriter;
    readonly views: ViewStore;
    readonly retention: LedgerRetention;
    /** Applies the retention now; a command leaves it to the console. */
    wakeRetention(): void;
  };
  readonly runs: RunStore;
  /** What became of the calls of each run. */
  readonly runHeaders: RunReader;
  readonly calls: CallPath;
  readonly guards: GuardBook;
  /** How the servers are and were: checks, history, the inbox, posts and metrics. */
  readonly health: Health;
  readonly blobs: BlobStore;
  readonly jobs: JobDirectories;
  readonly names: ExposedNames;
  readonly snapshots: SnapshotSink;
  readonly pins: PinStore;
  readonly accounts: Accounts;
  /** A server's configuration with every placeholder filled in, as it stands now. */
  resolve(entry: ServerEntry, jobDirectory: string | null): Result<ResolvedServer, readonly FieldError[]>;
  /** What the servers of one resolved configuration share: connection, guard, cap; null where it does not resolve. */
  fingerprintOf(key: ServerKey): string | null;
  /** Ends calls, tests and connections with all their processes, within 10 s; a second time does nothing. */
  close(): Promise<void>;
}

interface RuntimeOptions {
  readonly env: Environment;
  /** `console` connects the enabled servers; `command` connects what it uses. */
  readonly use: 'console' | 'command';
  /** Other servers than the stored ones, for `--config`. */
  readonly servers?: () => ServerDirectory;
  readonly log?: (redactor: Redactor) => Logger;
}

/**
 * Opens the data directory and makes the parts of the process, wired to each other. Ends first what a process that
 * crashed left: its open calls read `interrupted`, its children are gone.
 * @throws AppError with a sentence for the terminal where the data cannot be opened
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { env, use } = options;
  const clock = systemClock;
  const redactor = new SecretRedactor();
  const log = options.log?.(redactor) ?? createLogger({ level: env.logLevel, redactor, destination: 'stderr' });

  const database = openDataDirectory(env);
  const audit = new AuditLog({ database, clock });
  const vault = new Vault({ database, audit, clock, redactor, home: env.home, key: env.vaultKey });
  redactor.learn([...vault.values(), ...(env.metricsToken === null ? [] : [env.metricsToken])]);

  const bus = new LiveBus();
  const store = new ServerStore({ database, audit, bus, clock, bundled: toBundledCommand(env) });
  store.ensureBundled();
  const servers = options.servers?.() ?? store;
  const names = options.servers === undefined ? new StoredNames(database) : new FileNames();
  const snapshots = new NamingSnapshots(options.servers === undefined ? new SnapshotStore(database) : new MemorySnapshots(), names, servers);

  const blobs = new BlobStore({ directory: join(env.home, 'blobs'), database, clock });
  const jobs = new JobDirectories({ directory: join(env.home, 'jobs') });
  const jobDirectory = () => jobs.path(CONSOLE_JOB);
  const writer = new LedgerWriter({ database, blobs, bus, redactor, clock });
  const reader = new LedgerReader({ database, blobs, redactor, indexTexts: () => { writer.indexTexts(); } });
  const runs = new RunStore({ database, clock });
  const tellOfRest = (fingerprint: string): void => {
    for (const key of keysOf(fingerprint)) bus.publish({ type: 'server.changed', key });
  };
  const guards = new GuardBook({ database, clock, onChange: tellOfRest });

  const resolve = createResolver(options, vault, redactor);
  const eraVerdicts = new StoredEraVerdicts(database);
  const children = new StoredChildRecords(database);
  const traffic = new TrafficBook({ clock, redactor, publish: (message) => bus.publish(message) });
  const pool: Pool = new Pool({
    servers,
    resolve,
    jobDirectory,
    snapshots,
    eraVerdicts,
    children,
    readManifest: (connection, key, signal) => calls.readManifest(connection, key, signal),
    bus,
    traffic,
    clock,
    findSilence: (key, connectedAt) => health.monitor.findSilence(key, connectedAt),
    onStarted: ({ serverKey, command, args }) =>
      audit.record(CONSOLE_ACTOR, {
        type: 'command.started',
        subject: `server:${serverKey}`,
        details: { command: redactor.text(command), args: args.map((argument) => redactor.text(argument)) },
      }),
    findRest: (fingerprint) => guards.findRest(fingerprint),
  });
  const exposedNameOf = (key: ServerKey, tool: string): string | null => {
    const record = servers.find(key);
    return record === undefined ? null : names.nameOf(record.entry, tool);
  };
  const fingerprintOf = (key: ServerKey): string | null => {
    const record = servers.find(key);
    const resolved = record === undefined ? null : resolve(record.entry, jobDirectory());
    return resolved?.ok === true ? resolved.value.fingerprint : null;
  };
  const keysOf = (fingerprint: string): readonly ServerKey[] =>
    servers.list().flatMap(({ entry: { key } }) => (fingerprintOf(key) === fingerprint ? [key] : []));
  const findAddress = (entry: ServerEntry) => {
    const resolved = resolve(entry, jobDirectory());
    if (!resolved.ok) return { url: null, sampleMount: null };
    const { transport, sampleMount } = resolved.value;
    return { url: transport.kind === 'stdio' ? null : transport.url, sampleMount: sampleMount ?? null };
  };
  const selector = new Selector({ workerFile: join(env.packageRoot, 'dist', 'workers', 'selection.js') });
  const files = openCallFiles({
    database, blobs, jobs, clock, owner: thisProcess(), isRunning, findAddress,
    select: (path, value, signal) => selector.select(path, value, signal),
  });
  const consoleRun = () => runs.sessionRun(`console:${env.startedAt}:${process.pid}`, CONSOLE_ACTOR);
  const calls: CallPath = new CallPath({
    writer,
    reader,
    servers,
    pool,
    guards,
    bus,
    fingerprintOf,
    keysOf,
    exposedNameOf,
    files,
    consoleRun,
    log,
    clock,
  });
  const health: Health = new Health({
    database,
    audit,
    bus,
    clock,
    redactor,
    log,
    servers,
    pool,
    loadOf: (key) => calls.loadOf(key),
    findSecret: (name) => vault.find(name),
    origin: toConsoleOrigin(env),
    environment: env.inherited,
    measures: env.metricsToken !== null,
  });
  // A command that uses the servers of a file may mean others by the same keys.
  const keepsTests = use === 'console' || options.servers === undefined;
  const tester = new ConnectionTester({
    database,
    bus,
    audit,
    clock,
    resolve,
    jobDirectory,
    eraVerdicts,
    children,
    snapshots,
    readManifest: (connection, key, signal) => calls.readManifest(connection, key, signal),
    redactor,
    traffic,
    onTested: (key, result) => {
      if (keepsTests) health.noteTest(key, result);
      if (!result.ok || pool.state(key).name !== 'failing') return;
      // What works again is tried at once, not at the end of its backoff.
      void pool.acquire(key, 'refresh', AbortSignal.timeout(RECONNECT_MS)).then((acquired) => {
        if (acquired.ok) acquired.value.release();
      });
    },
  });
  const accounts = new Accounts({
    database,
    audit,
    clock,
    home: env.home,
    origin: toConsoleOrigin(env),
    port: env.port,
    sessionRun: (origin, actor) => runs.sessionRun(origin, actor),
  });

  const interrupted = writer.interruptAbandoned();
  files.records.endAbandoned();
  const ended = await pool.sweepLeftovers();
  if (interrupted + ended > 0) log.warn({ interrupted, ended }, 'an earlier process ended without closing: its calls and children were ended');
  const retention = new LedgerRetention({ database, blobs, audit, clock });
  const retentionJob =
    use === 'console' ? new RetentionJob({ retention, onFailed: (error) => log.error({ err: error }, 'calls beyond the retention could not be deleted; it is tried again') }) : null;
  retentionJob?.wake();
  const leaving = new AbortController();
  const guardWatch = use === 'console' ? new GuardWatch({ database, clock, onChange: tellOfRest }) : null;
  if (use === 'console') {
    pool.connectEnabled();
    health.start();
    indexMissingEntries({ database, blobs, reader });
    indexOlderEntries({ database, blobs, reader }, leaving.signal).catch((error: unknown) => {
      log.error({ err: error }, 'the calls of an earlier version could not be made searchable; the next start goes on with it');
    });
  }

  const closeAll = async (): Promise<void> => {
    leaving.abort();
    guardWatch?.close();
    const called = calls.close();
    const pooled = withinMs(CANCEL_MS, called).then(() => pool.close());
    // A connection that closes ends the calls that did not end by themselves: their ends are still put on record.
    await Promise.allSettled([called, tester.close(), pooled, health.close(), retentionJob?.close(), selector.close()]);
    traffic.close();
    writer.close();
    database.close();
  };
  let closing: Promise<void> | null = null;
  return {
    env, log, db: database, clock, redactor, bus, audit, vault, servers, store, pool, traffic, tester, 
    ledger: { reader, writer, views: new ViewStore({ database, clock }), retention, wakeRetention: () => retentionJob?.wake() },
    runs, runHeaders: new RunReader({ database, reader, redactor }), calls, guards, health, blobs, jobs, names, snapshots, pins: new PinStore(database), accounts, resolve, fingerprintOf,
    close: () => (closing ??= closeAll()),
  };
}

/** Makes the data directory where it is not there, readable for its owner alone, and brings its data up to date. */
function openDataDirectory(env: Environment): Database {
  try {
    mkdirSync(env.home, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError({
      code: 'unavailable',
      message: `The data directory ${env.home} cannot be made.`,
      remedy: 'Name a folder that you may write to in SIGNALBOX_HOME.',
      cause,
    });
  }
  const database = openDatabase(join(env.home, 'signalbox.db'));
  migrateDatabase(database, {
    migrationsFolder: join(env.packageRoot, 'db', 'migrations'),
    backupDirectory: join(env.home, 'backups'),
  });
  return database;
}

const toBundledCommand = (env: Environment) => ({
  command: process.execPath,
  args: [join(env.packageRoot, 'dist', 'servers', 'analysis.js')],
});

const isBundled = (entry: ServerEntry, env: Environment): boolean =>
  entry.transport === 'stdio' && entry.args.join('\0') === toBundledCommand(env).args.join('\0');

/**
 * A secret that does not open is the fault of the server that names it, not of the console. Each call resolves its
 * server: what depends on nothing but the entry and the environment is resolved once.
 */
function createResolver({ env, use }: RuntimeOptions, vault: Vault, redactor: SecretRedactor): Runtime['resolve'] {
  const kept = new WeakMap<ServerEntry, { readonly jobDirectory: string | null; readonly resolved: ReturnType<Runtime['resolve']> }>();
  return (entry, asked) => {
    // Started by a command, the bundled server opens what its user may (product section 16).
    const jobDirectory = use === 'command' && isBundled(entry, env) ? null : asked;
    const known = kept.get(entry);
    if (known?.jobDirectory === jobDirectory) return known.resolved;
    try {
      // Secrets and the files of certificates may have changed by the next time.
      let mayChange = entry.transport !== 'stdio' && entry.tls !== undefined;
      const findSecret = (name: string) => {
        mayChange = true;
        return vault.find(name);
      };
      const resolved = resolveServer(entry, { environment: env.inherited, findSecret, jobDirectory, runId: null });
      if (resolved.ok) redactor.learn(resolved.value.secretValues);
      if (!mayChange) kept.set(entry, { jobDirectory, resolved });
      return resolved;
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      return err([{ field: '', message: [cause.message, cause.remedy].filter((part) => part !== null).join(' ') }]);
    }
  };
}

async function withinMs(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
