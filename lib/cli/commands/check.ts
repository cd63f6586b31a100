import type { ServerRecord } from '@/lib/servers';
import { toCheckServer, type CheckServer } from '@/lib/testing-connections';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireServer, withSession, type CommandSession, type CommonOptions } from '../session';
import type { Terminal } from '../terminal';

/** One clock for each server, its `capabilities` included (product section 13). */
const CHECK_CLOCK_MS = 20_000;

/** Connects to each enabled server, all at once, and says what works. */
export async function check(keys: readonly string[], options: CommonOptions, terminal: Terminal): Promise<ExitCode> {
  return withSession(options, terminal, async (session) => {
    const records = keys.length === 0 ? session.runtime.servers.list() : keys.map((key) => requireServer(session.runtime, key));
    const servers = await Promise.all(records.map((record) => checkServer(session, record)));
    const ok = servers.every(({ enabled, ok: works }) => works === true || (!enabled && keys.length === 0));
    if (options.json) terminal.document({ ok, servers });
    else printServers(servers, terminal);
    return ok ? EXIT.ok : EXIT.failed;
  });
}

/** One element of `servers`; a disabled server is never connected. */
export async function checkServer(session: CommandSession, record: ServerRecord, clockMs: number | null = CHECK_CLOCK_MS): Promise<CheckServer> {
  const { runtime, principal, signal } = session;
  const { entry } = record;
  const exposedNameOf = (tool: string): string => runtime.names.nameOf(entry, tool);
  if (!entry.enabled && clockMs !== null) return toCheckServer({ entry, result: null, exposedNameOf });
  const result = await runtime.tester.test(
    entry,
    { saved: record.source === 'stored', principal, ...(clockMs === null ? {} : { clockMs }) },
    () => {},
    signal,
  );
  return toCheckServer({ entry, result, exposedNameOf });
}

function printServers(servers: readonly CheckServer[], terminal: Terminal): void {
  if (servers.length === 0) terminal.note('No server is configured yet. Add one in the console, or name a file with --config.');
  for (const server of servers) {
    for (const warning of server.warnings) terminal.note(`${server.key}: ${warning}`);
    if (server.ok === null) terminal.line(`○ ${server.key} (disabled)`);
    else if (server.ok) terminal.line(`● ${server.key} (${server.tool_count} tools)`);
    else terminal.line(`✗ ${server.key}\n  ${describeError(server)}`);
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
