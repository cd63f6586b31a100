import { createHash } from 'node:crypto';
import type { Database } from '@/db/client';
import type { AuditLog } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import type { ManifestReading } from '@/lib/manifests';
import { Redactor, type Clock, type FieldError, type Result, type TestId } from '@/lib/core';
import type { LiveBus } from '@/lib/live/node';
import type { ResolvedServer, ServerEntry, ServerKey } from '@/lib/servers';
import {
  openConnection, type ChildRecords, type Connection, type EraVerdicts, type OpenConnection, type SnapshotSink, type TrafficBook,
} from '@/lib/pool/node';
import type { ConnectionTestResult, TestEvent } from '../test-result';
import { runTest, testClockMs } from './run-test';
import { RunningTests, type FollowedTest } from './running-tests';
import { TestStore, type StoredTest } from './test-store';

export interface ConnectionTesterOptions {
  readonly database: Database;
  readonly bus: Pick<LiveBus, 'publish'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
  readonly resolve: (entry: ServerEntry, jobDirectory: string | null) => Result<ResolvedServer, readonly FieldError[]>;
  /** The folder of the standing job `console`. */
  readonly jobDirectory: () => string;
  readonly eraVerdicts: EraVerdicts;
  readonly children: ChildRecords;
  readonly snapshots: SnapshotSink;
  /** Reads the manifest: as an entry of the ledger for the server of a key, as evidence alone for null. */
  readonly readManifest: (connection: Connection, key: ServerKey | null, signal: AbortSignal) => Promise<ManifestReading>;
  readonly redactor: { text(text: string): string };
  readonly traffic: Pick<TrafficBook, 'record'>;
  /** Told after a test of a saved server was kept. */
  readonly onTested?: (key: ServerKey, result: ConnectionTestResult) => void;
  /** For tests; default `openConnection`. */
  readonly open?: OpenConnection;
}

export interface TestOptions {
  /** Where the entry stands: a test of a form that was not saved is kept nowhere and updates nothing. */
  readonly source: 'stored' | 'file' | 'form';
  readonly principal: Principal;
  /** The one clock of all stages, in ms; absent takes the entry's `connect_s`, else 20 s, or 120 s for a package runner. */
  readonly clockMs?: number;
}

/** Tests connections stage by stage, each on a connection of its own that is gone when the test ends. */
export class ConnectionTester {
  private readonly store: TestStore;
  private readonly tests = new RunningTests();

  constructor(private readonly options: ConnectionTesterOptions) {
    this.store = new TestStore(options.database);
  }

  /** Starts a test and returns its id at once; what follows comes by the live stream as `test.event`. */
  start(entry: ServerEntry, options: TestOptions): TestId {
    return this.begin(entry, options, () => undefined).testId;
  }

  /** Runs a test and waits for its end. Never throws; ends early, as `cancelled`, when the signal fires. */
  async test(
    entry: ServerEntry,
    options: TestOptions,
    onEvent: (event: TestEvent) => void,
    signal: AbortSignal,
  ): Promise<ConnectionTestResult> {
    const { testId, ended } = this.begin(entry, options, onEvent);
    const cancel = (): void => void this.tests.cancel(testId);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await ended;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** @returns whether the test was still running */
  cancel(testId: TestId): boolean {
    return this.tests.cancel(testId);
  }

  /** A test of this process with its events so far, or one that was kept. */
  find(testId: TestId): FollowedTest | undefined {
    const running = this.tests.find(testId);
    if (running !== undefined) return running;
    const stored = this.store.find(testId);
    if (stored === undefined) return undefined;
    const { result, serverKey } = stored;
    return { testId, key: serverKey, events: [{ type: 'test.ended', result, at: result.finishedAt }], result };
  }

  /** The newest test of a saved server; null where there is none, or where its connection was edited since. */
  lastFor(entry: ServerEntry): StoredTest | null {
    const last = this.store.findLast(entry.key);
    return last?.fingerprint === fingerprintOf(this.resolve(entry)) ? last : null;
  }

  /** Whether a test that ended was of the connection that this entry describes; else its tools are not this entry's. */
  isTestOf(testId: TestId, entry: ServerEntry): boolean {
    return this.tests.fingerprintOf(testId) === fingerprintOf(this.resolve(entry));
  }

  /** Keeps the test of a form as the last one of the server that it was saved as; one that is kept already stays as it is. */
  adopt(testId: TestId, entry: ServerEntry): void {
    const result = this.tests.find(testId)?.result ?? null;
    if (result === null || !this.isTestOf(testId, entry) || this.store.find(testId) !== undefined) return;
    const fingerprint = fingerprintOf(this.resolve(entry));
    const { bus, database, snapshots } = this.options;
    database.orm.transaction(() => {
      this.store.save(testId, entry.key, fingerprint, result);
      if (result.ok && result.snapshot !== null) snapshots.save(entry.key, fingerprint, result.snapshot);
    });
    bus.publish({ type: 'server.changed', key: entry.key });
  }

  /** Cancels every test and waits until nothing of them is left running. */
  close(): Promise<void> {
    return this.tests.close();
  }

  private resolve(entry: ServerEntry): Result<ResolvedServer, readonly FieldError[]> {
    return this.options.resolve(entry, this.options.jobDirectory());
  }

  private begin(
    entry: ServerEntry,
    options: TestOptions,
    onEvent: (event: TestEvent) => void,
  ): { readonly testId: TestId; readonly ended: Promise<ConnectionTestResult> } {
    return this.tests.start(
      { key: entry.key, fingerprint: fingerprintOf(this.resolve(entry)) },
      (testId, event) => {
        onEvent(event);
        this.options.bus.publish({ type: 'test.event', testId, event });
      },
      (testId, tell, signal) => this.run(testId, entry, options, tell, signal),
    );
  }

  private async run(
    testId: TestId,
    entry: ServerEntry,
    { source, principal, clockMs }: TestOptions,
    tell: (event: TestEvent) => void,
    signal: AbortSignal,
  ): Promise<ConnectionTestResult> {
    const { audit, clock, eraVerdicts, children, open, jobDirectory, readManifest, redactor, traffic } = this.options;
    const resolved = this.resolve(entry);
    const ownSecrets = new Redactor(resolved.ok ? resolved.value.secretValues : []);
    const scrub = (text: string): string => redactor.text(ownSecrets.withoutValues(text));
    // The test of a form belongs to no server yet.
    const recorder = source === 'form' || !resolved.ok ? null : traffic.record({ keys: () => [entry.key], purpose: 'test', secretValues: resolved.value.secretValues });
    const tested = await runTest(
      {
        entry,
        clockMs: clockMs ?? testClockMs(entry),
        clock,
        resolved,
        jobDirectory: jobDirectory(),
        eraVerdicts,
        children,
        open: open ?? openConnection,
        readManifest: (connection, manifestSignal) => readManifest(connection, source === 'form' ? null : entry.key, manifestSignal),
        onEvent: tell,
        onStarted: ({ command, args }) =>
          audit.record(principal.actor, {
            type: 'command.started',
            subject: `server:${entry.key}`,
            details: { command: scrub(command), args: args.map(scrub) },
          }),
        scrub,
        ...(recorder !== null && { onWire: recorder.onWire }),
      },
      signal,
    );
    recorder?.end();
    const result = this.keep(testId, entry, { source, principal }, fingerprintOf(resolved), tested);
    // Told only after the result is kept: whoever sees the end may read it.
    tell({ type: 'test.ended', result, at: result.finishedAt });
    return result;
  }

  /** @returns the result, with a warning where it could not be kept: its reader has it all the same */
  private keep(
    testId: TestId,
    entry: ServerEntry,
    options: TestOptions,
    fingerprint: string,
    result: ConnectionTestResult,
  ): ConnectionTestResult {
    try {
      this.record(testId, entry, options, fingerprint, result);
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ...result, warnings: [...result.warnings, `This test is not on record: the data file could not be written (${reason}).`] };
    }
  }

  private record(
    testId: TestId,
    entry: ServerEntry,
    { source, principal }: TestOptions,
    fingerprint: string,
    result: ConnectionTestResult,
  ): void {
    const { audit, bus, database, onTested, snapshots } = this.options;
    database.orm.transaction(() => {
      audit.record(principal.actor, {
        type: 'server.tested',
        subject: `server:${entry.key}`,
        details: { ok: result.ok, code: result.failure?.code ?? null, stage: result.failure?.stage ?? null, of: source },
      });
      if (source === 'form') return;
      this.store.save(testId, entry.key, fingerprint, result);
      if (result.ok && result.snapshot !== null) snapshots.save(entry.key, fingerprint, result.snapshot);
    });
    if (source === 'form') return;
    bus.publish({ type: 'server.changed', key: entry.key });
    onTested?.(entry.key, result);
  }
}

/** Of the configuration that was tested; of what it lacks, where it did not resolve. */
function fingerprintOf(resolved: Result<ResolvedServer, readonly FieldError[]>): string {
  if (resolved.ok) return resolved.value.fingerprint;
  return `unresolved:${createHash('sha256').update(JSON.stringify(resolved.error)).digest('hex')}`;
}
