import type { Clock, FieldError, Result } from '@/lib/core';
import { isLocal, isPackageRunner, DEFAULT_LIMITS, type ResolvedServer, type ServerEntry } from '@/lib/servers';
import { noManifest, type ManifestReading, type ServerSnapshot } from '@/lib/manifests';
import { explainFailure, scrubFailure, type ConnectFailure, type Scrub, type Stage } from '@/lib/pool';
import type { ChildRecords, Connection, EraVerdicts, OpenConnection, OpenConnectionOptions, StartedCommand } from '@/lib/pool/node';
import { configWarnings, listWarnings, transportWarnings } from '../test-warnings';
import type { ConnectionTestResult, TestEvent } from '../test-result';
import { explainUnresolved } from './explain-unresolved';
import { StageLog } from './stage-log';

/** How long the manifest is waited for (product section 4). */
const MANIFEST_CLOCK_MS = 10_000;

export interface TestRun {
  readonly entry: ServerEntry;
  /** The one clock that all stages share, in ms. */
  readonly clockMs: number;
  readonly clock: Clock;
  readonly resolved: Result<ResolvedServer, readonly FieldError[]>;
  readonly jobDirectory: string;
  readonly eraVerdicts: EraVerdicts;
  readonly children: ChildRecords;
  readonly open: OpenConnection;
  readonly readManifest: (connection: Connection, signal: AbortSignal) => Promise<ManifestReading>;
  readonly onEvent: (event: TestEvent) => void;
  readonly onStarted: (started: StartedCommand) => void;
  readonly onWire?: OpenConnectionOptions['onWire'];
  readonly scrub: Scrub;
}

type Learned = Partial<Pick<ConnectionTestResult, 'failure' | 'latencyMs' | 'facts' | 'snapshot'>>;

interface StrayCount {
  count: number;
  first: string | null;
}

/** The clock of a test: the entry's own `connect_s`, else 20 s, or 120 s for a package runner that may have to install. */
export function testClockMs(entry: ServerEntry): number {
  const installs = entry.transport === 'stdio' && isPackageRunner(entry.command, entry.args);
  const seconds = entry.limits.connect_s ?? (installs ? DEFAULT_LIMITS.connect_package_runner_s : DEFAULT_LIMITS.connect_s);
  return seconds * 1000;
}

/**
 * Runs the stages that apply, in order, on a connection of its own, and stops at the first that fails.
 * Whatever happens, what it opened is closed before it returns; it never throws. Its end is told by the caller.
 */
export async function runTest(run: TestRun, signal: AbortSignal): Promise<ConnectionTestResult> {
  const startedAt = run.clock.now();
  const stages = new StageLog(run.clock, run.onEvent, run.scrub);
  const stray: StrayCount = { count: 0, first: null };

  const finish = (learned: Learned): ConnectionTestResult => {
    const failure = learned.failure ? scrubFailure(learned.failure, run.scrub) : null;
    if (failure !== null) stages.fail(failure);
    return {
      startedAt,
      finishedAt: run.clock.now(),
      ok: failure === null,
      latencyMs: learned.latencyMs ?? null,
      stages: stages.reports,
      failure,
      warnings: [...new Set(stages.warnings)],
      facts: learned.facts ?? null,
      snapshot: learned.snapshot ?? null,
      strayLines: { count: stray.count, first: stray.first === null ? null : run.scrub(stray.first) },
    };
  };

  stages.begin('config');
  if (!run.resolved.ok) return finish({ failure: explainUnresolved(run.entry, run.resolved.error) });
  stages.end('config', configWarnings(run.entry), 'Complete: every variable and secret that it names has a value.');

  const opened = await openForTest(run, run.resolved.value, startedAt, stages, stray, signal);
  if (!opened.ok) return finish({ failure: opened.error });

  const connection = opened.value;
  const learned = await learn(run, connection, startedAt, stages, stray, signal)
    .catch((error: unknown): Learned => ({ failure: brokenIn(run, stages.current, error) }))
    .finally(() => connection.close());
  return finish(learned);
}

/** What a connection that was set up has to tell. */
async function learn(
  run: TestRun,
  connection: Connection,
  startedAt: number,
  stages: StageLog,
  stray: StrayCount,
  signal: AbortSignal,
): Promise<Learned> {
  const { lists } = connection;
  // A line may have come before anyone listened line by line.
  stray.count = Math.max(stray.count, connection.strayLines.count);
  stray.first ??= connection.strayLines.first;
  stages.warn(transportWarnings(run.entry, connection.facts));
  stages.end('list', [...listWarnings(lists.toolList, stray), ...lists.toolList.warnings, ...lists.warnings], describeLists(connection));

  const reading = await readManifestStage(run, connection, startedAt, stages, signal);
  const snapshot: ServerSnapshot = {
    readAt: run.clock.now(),
    toolList: lists.toolList,
    manifest: reading.manifest,
    manifestProblem: reading.problem,
    resources: lists.resources,
    resourceTemplates: lists.resourceTemplates,
    prompts: lists.prompts,
  };
  return {
    latencyMs: connection.latencyMs,
    facts: connection.facts,
    snapshot,
    ...(signal.aborted ? { failure: cancelledIn(run, 'capabilities') } : {}),
  };
}

async function openForTest(
  run: TestRun,
  resolved: ResolvedServer,
  startedAt: number,
  stages: StageLog,
  stray: StrayCount,
  signal: AbortSignal,
): Promise<Result<Connection, ConnectFailure>> {
  try {
    return await run.open(
      {
        resolved,
        jobDirectory: isLocal(run.entry) ? run.jobDirectory : null,
        eraVerdicts: run.eraVerdicts,
        children: run.children,
        clock: run.clock,
        connectMs: Math.max(1, run.clockMs - (run.clock.now() - startedAt)),
        onStage: (event) => stages.follow(event),
        onProgress: (text) => run.onEvent({ type: 'test.progressed', text: run.scrub(text), at: run.clock.now() }),
        onLine: (line) => {
          if (line.source !== 'stdout') return;
          stray.count += 1;
          stray.first ??= line.text;
        },
        onWarning: (text) => stages.warn([toSentence(text)]),
        onStarted: run.onStarted,
        ...(run.onWire !== undefined && { onWire: run.onWire }),
      },
      signal,
    );
  } catch (error) {
    return { ok: false, error: brokenIn(run, stages.current, error) };
  }
}

async function readManifestStage(
  run: TestRun,
  connection: Connection,
  startedAt: number,
  stages: StageLog,
  signal: AbortSignal,
): Promise<ManifestReading> {
  stages.begin('capabilities');
  if (!connection.lists.toolList.tools.some(({ name }) => name === 'capabilities')) {
    stages.end('capabilities', [], 'The server has no "capabilities" tool, so there is no manifest; every tool counts as available.');
    return { manifest: null, problem: null };
  }
  const leftMs = Math.max(1, Math.min(MANIFEST_CLOCK_MS, run.clockMs - (run.clock.now() - startedAt)));
  const reading = await run
    .readManifest(connection, AbortSignal.any([signal, AbortSignal.timeout(leftMs)]))
    .catch((error: unknown) => noManifest(`it could not be read: ${error instanceof Error ? error.message : String(error)}`));
  if (reading.manifest === null) {
    const problem = reading.problem ?? noManifest('it answered none').problem;
    stages.end('capabilities', [problem], '');
    return { manifest: null, problem };
  }
  const unavailable = reading.manifest.tools.filter(({ available }) => !available).length;
  stages.end('capabilities', [], unavailable === 0 ? 'Everything works on its host.' : `${unavailable} of ${reading.manifest.tools.length} tools do not work on its host.`);
  return reading;
}

function describeLists({ lists }: Connection): string {
  const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  const resources = lists.resources.length + lists.resourceTemplates.length;
  return `${counted(lists.toolList.tools.length, 'tool')}, ${counted(resources, 'resource')}, ${counted(lists.prompts.length, 'prompt')}.`;
}

/** What a connection remarks of its server begins with "it" and has no end. */
const toSentence = (remark: string): string => `${remark.charAt(0).toUpperCase()}${remark.slice(1)}.`;

const cancelledIn = (run: TestRun, stage: Stage): ConnectFailure => explainFailure('cancelled', { stage, server: run.entry.key });

/** A fault of the console itself is the test's outcome too: whoever asked must see an end. */
const brokenIn = (run: TestRun, stage: Stage, error: unknown): ConnectFailure =>
  explainFailure('internal', {
    stage,
    server: run.entry.key,
    evidence: { detail: error instanceof Error ? error.message : String(error) },
  });
