import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Principal } from '@/lib/auth';
import { openRuntime, type Runtime } from '@/lib/boot';
import { readEnvironment } from '@/lib/env';
import { createLogger } from '@/lib/log';
import type { ServerRecord } from '@/lib/servers';
import { serverKeySchema } from '@/lib/servers';
import { FileServers } from '@/lib/servers/node';
import { UsageError } from './exit-codes';
import type { Terminal } from './terminal';

/** The options that every command takes. */
export interface CommonOptions {
  readonly json: boolean;
  /** Use the servers of this file instead of the stored ones. */
  readonly config?: string;
}

export interface CommandSession {
  readonly runtime: Runtime;
  readonly principal: Principal;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C, SIGTERM or the closing of the terminal. */
  readonly signal: AbortSignal;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Opens the data directory for one command and closes it whatever happens, so that nothing is left running.
 * A first signal cancels what is in flight; a second ends the process at once.
 */
export async function withSession<T>(
  options: CommonOptions,
  terminal: Terminal,
  work: (session: CommandSession) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Error('ended by a signal'));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    const runtime = await openCommandRuntime(options, terminal);
    try {
      return await work({ runtime, principal: commandPrincipal(runtime), terminal, signal: controller.signal });
    } finally {
      await runtime.close();
    }
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}

async function openCommandRuntime(options: CommonOptions, terminal: Terminal): Promise<Runtime> {
  const fileServers = options.config === undefined ? null : readFileServers(options.config, terminal);
  const env = readEnvironment();
  // A command speaks through its own messages; its log is for what goes wrong inside.
  const log = createLogger({ level: env.logLevel === 'info' ? 'error' : env.logLevel });
  return openRuntime({ env, log, use: 'command', ...(fileServers === null ? {} : { servers: () => fileServers }) });
}

function readFileServers(file: string, terminal: Terminal): FileServers {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--config: ${file} cannot be read (${error instanceof Error ? error.message : String(error)}). Name a file that exists.`);
  }
  const read = FileServers.read(text, file);
  if (!read.ok) {
    const { message, line, column } = read.error;
    throw new UsageError(`--config: ${file}:${line}:${column}: ${message}`);
  }
  for (const warning of read.value.warnings) terminal.note(`${file}: ${warning}`);
  return read.value;
}

/** The command line acts as admin for whoever can open the data directory (product section 14). */
function commandPrincipal(runtime: Runtime): Principal {
  const actor = { kind: 'cli', name: `cli:${userInfo().username}` } as const;
  return { actor, role: 'admin', sessionRunId: runtime.runs.sessionRun(`command:${randomUUID()}`, actor) };
}

/** The server of this key, or a usage error that names the keys there are. */
export function requireServer(runtime: Runtime, text: string): ServerRecord {
  const key = serverKeySchema.safeParse(text);
  const record = key.success ? runtime.servers.find(key.data) : undefined;
  if (record !== undefined) return record;
  const known = runtime.servers.list().map(({ entry }) => entry.key);
  throw new UsageError(
    known.length === 0
      ? `There is no server "${text}": no server is configured yet.`
      : `There is no server "${text}". Configured are: ${known.join(', ')}.`,
  );
}
