import { describeTools, type ServerSnapshot } from '@/lib/manifests';
import { StartQueue } from '@/lib/pool/node';
import type { ServerRecord } from '@/lib/servers';
import { toBrokenCheckServer, toToolJson, type ToolJson } from '@/lib/testing-connections';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireKnown, withSession, type CommandSession, type CommonOptions } from '../session';
import type { Terminal } from '../terminal';

export interface ToolsOptions extends CommonOptions {
  /** Read the lists again instead of showing what was last read. */
  readonly refresh: boolean;
}

/** The tools of one server or of all enabled ones, with availability, reason, remedy and risk. */
export async function tools(key: string | undefined, options: ToolsOptions, terminal: Terminal): Promise<ExitCode> {
  return withSession(options, terminal, async (session) => {
    const { runtime } = session;
    const named = key === undefined ? null : requireKnown(session, key);
    const records = named === null ? runtime.servers.list().filter(({ entry }) => entry.enabled) : [named.record ?? []].flat();
    const unusable = named === null ? session.broken : [named.broken ?? []].flat();
    const starts = new StartQueue();
    const read = await Promise.all(records.map((record) => starts.run(() => readTools(session, record, options.refresh))));
    for (const { key: broken, errors } of unusable) terminal.note(`${broken}: ${toBrokenCheckServer(broken, errors).error?.message ?? ''}`);
    const listed = read.filter((found) => found !== null);
    if (options.json) terminal.document(listed.flat());
    else for (const tool of listed.flat()) printTool(tool, terminal);
    return listed.length > 0 || (records.length === 0 && unusable.length === 0) ? EXIT.ok : EXIT.failed;
  });
}

/** The tools of a server, or null after a warning where they could not be read. */
async function readTools(session: CommandSession, record: ServerRecord, refresh: boolean): Promise<readonly ToolJson[] | null> {
  const { runtime, terminal } = session;
  const { entry } = record;
  const snapshot = refresh ? await readAgain(session, record) : (runtime.pool.snapshot(entry.key) ?? (await readAgain(session, record)));
  if (snapshot === null) return null;
  const { toolList, manifest } = snapshot;
  for (const warning of toolList.warnings) terminal.note(`${entry.key}: ${warning}`);
  runtime.names.learn(entry, toolList.tools.map(({ name }) => name));
  return describeTools({ entry, toolList, manifest, exposedNameOf: (tool) => runtime.names.nameOf(entry, tool) }).map(toToolJson);
}

async function readAgain({ runtime, terminal, signal }: CommandSession, { entry }: ServerRecord): Promise<ServerSnapshot | null> {
  const read = await runtime.pool.refresh(entry.key, signal);
  if (!read.ok) {
    terminal.note(`${entry.key}: ${read.error.message} Do this: ${read.error.remediation}`);
    return null;
  }
  read.value.release();
  return read.value.snapshot;
}

function printTool(tool: ToolJson, terminal: Terminal): void {
  const marks = [
    tool.risk,
    ...(tool.plumbing ? ['plumbing'] : tool.exposed ? [] : ['not exposed']),
    ...(tool.set_aside === null ? [] : [`set aside: ${tool.set_aside}`]),
    ...(tool.available ? [] : [`unavailable: ${tool.reason ?? 'no reason given'}`]),
  ];
  terminal.line(`${tool.exposed_name ?? tool.name} (${marks.join(', ')})`);
  if (!tool.available && tool.without !== null) terminal.line(`  still answers: ${tool.without}`);
  if (!tool.available && tool.remediation !== null) terminal.line(`  Do this: ${tool.remediation}`);
}
