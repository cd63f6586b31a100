import { formatDuration } from '@/lib/core';
import { StartQueue } from '@/lib/pool/node';
import { isPackageRunner, type ServerEntry, type ServerRecord } from '@/lib/servers';
import { toBrokenCheckServer, toCheckServer, type CheckServer } from '@/lib/testing-connections';
import { testClockMs } from '@/lib/testing-connections/node';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireKnown, withSession, type CommandSession, type CommonOptions } from '../session';
import type { Terminal } from '../terminal';

/** One clock for each server, its `capabilities` included (product section 13). */
const CHECK_CLOCK_MS = 20_000;
/** Of stderr, of a server that could not be used. */
const LAST_LINES = 5;

/** Connects to each enabled server, side by side, and says what works; the clock of each begins with its start. */
export async function check(keys: readonly string[], options: CommonOptions, terminal: Terminal, clockMs = CHECK_CLOCK_MS): Promise<ExitCode> {
  return withSession(options, terminal, async (session) => {
    const named = [...new Set(keys)].map((key) => requireKnown(session, key));
    const broken = keys.length === 0 ? session.broken : named.flatMap((known) => known.broken ?? []);
    const records = keys.length === 0 ? session.runtime.servers.list() : named.flatMap(({ record }) => record ?? []);
    const starts = new StartQueue();
    const servers = [
      ...(await Promise.all(records.map((record) => starts.run(async () => withTestAdvice(await checkServer(session, record, clockMs), record.entry, clockMs))))),
      ...broken.map(({ key, errors }) => toBrokenCheckServer(key, errors)),
    ];
    const ok = servers.every((server) => server.ok === true || (!server.enabled && keys.length === 0));
    if (options.json) terminal.document({ ok, servers });
    else printServers(servers, terminal);
    return ok ? EXIT.ok : EXIT.failed;
  });
}

/** One element of `servers`; a disabled server is never connected. */
async function checkServer(session: CommandSession, record: ServerRecord, clockMs: number): Promise<CheckServer> {
  if (record.entry.enabled) return testServer(session, record, { clockMs });
  return toCheckServer({ entry: record.entry, result: null, exposedNameOf: (tool) => session.runtime.names.nameOf(record.entry, tool) });
}

/** A package runner that was still installing is given the time by the test, which has a longer clock. */
function withTestAdvice(server: CheckServer, entry: ServerEntry, clockMs: number): CheckServer {
  const { error } = server;
  const isInstalling = entry.transport === 'stdio' && isPackageRunner(entry.command, entry.args);
  if (error?.code !== 'never_answers' || !isInstalling || testClockMs(entry) <= clockMs) return server;
  const remediation =
    `Run "signalbox test ${entry.key}", which waits up to ${formatDuration(testClockMs(entry))} for the installation and says what it is doing; ` +
    'what is installed then is kept for the next start.';
  return { ...server, error: { ...error, remediation } };
}

interface TestWishes {
  /** Bounds all stages, ms; absent takes the test's own. */
  readonly clockMs?: number;
  /** The last line of a package runner that installs. */
  readonly onProgress?: (text: string) => void;
}

/** The staged test of one server, as the command line tells it. */
export async function testServer(session: CommandSession, { entry, source }: ServerRecord, { clockMs, onProgress }: TestWishes = {}): Promise<CheckServer> {
  const { runtime, principal, signal } = session;
  const result = await runtime.tester.test(
    entry,
    { source, principal, ...(clockMs === undefined ? {} : { clockMs }) },
    (event) => {
      if (event.type === 'test.progressed') onProgress?.(event.text);
    },
    signal,
  );
  const tools = result.snapshot?.toolList.tools.map(({ name }) => name) ?? [];
  runtime.names.learn(entry, tools);
  return toCheckServer({ entry, result, exposedNameOf: (tool) => runtime.names.nameOf(entry, tool), rests: isResting(session, entry) });
}

/** Whether calls are refused for now although the test connects. */
function isResting({ runtime }: CommandSession, entry: ServerEntry): boolean {
  const fingerprint = runtime.fingerprintOf(entry.key);
  return fingerprint !== null && runtime.guards.findRest(fingerprint) !== null;
}

function printServers(servers: readonly CheckServer[], terminal: Terminal): void {
  if (servers.length === 0) terminal.note('No server is configured yet. Add one in the console, or name a file with --config.');
  for (const server of servers) {
    for (const warning of server.warnings) terminal.note(`${server.key}: ${warning}`);
    if (server.ok === null) terminal.line(`○ ${server.key} (disabled)`);
    else if (server.ok) terminal.line(`● ${server.key} (${server.tool_count} tools)`);
    else {
      terminal.line(`✗ ${server.key}\n  ${describeError(server)}`);
      for (const text of (server.error?.evidence.stderr ?? []).slice(-LAST_LINES)) terminal.line(`  stderr: ${text}`);
    }
  }
  terminal.line('');
  for (const tool of servers.flatMap((server) => server.tools)) {
    if (tool.exposed_name === null || tool.set_aside !== null) continue;
    const marks = [
      ...(tool.exposed ? [] : ['(not exposed)']),
      ...(tool.available ? [] : [`(unavailable: ${tool.reason ?? 'no reason given'})`]),
    ];
    terminal.line([tool.exposed_name, ...marks].join(' '));
  }
}

function describeError({ error }: CheckServer): string {
  if (error === null) return 'It could not be used, and no reason was given.';
  return error.remediation === null ? error.message : `${error.message} Do this: ${error.remediation}`;
}
