import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { userInfo } from 'node:os';
import type { Principal } from '@/lib/auth';
import { openRuntime, type Runtime } from '@/lib/boot';
import { readEnvironment } from '@/lib/env';
import { createLogger } from '@/lib/log';
import { isServerKey, type ServerRecord } from '@/lib/servers';
import { FileServers, type BrokenServer } from '@/lib/servers/node';
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
  /** Entries of the named file that are no servers as they are written: each its own failure. */
  readonly broken: readonly BrokenServer[];
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C, SIGTERM or the closing of the terminal. */
  readonly signal: AbortSignal;
}

/** What a key names: a server, or an entry of the file that cannot be used, which is that server's failure. */
type Known =
  | { readonly record: ServerRecord; readonly broken: null }
  | { readonly record: null; readonly broken: BrokenServer };

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
  // Each server that is checked listens on it: more than ten are no leak.
  setMaxListeners(0, controller.signal);
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Error('ended by a signal'));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    const fileServers = options.config === undefined ? null : readFileServers(options.config, terminal);
    const runtime = await openCommandRuntime(fileServers);
    try {
      return await work({
        runtime, principal: commandPrincipal(runtime), broken: fileServers?.broken ?? [], terminal, signal: controller.signal,
      });
    } finally {
      await runtime.close();
    }
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}

async function openCommandRuntime(fileServers: FileServers | null): Promise<Runtime> {
  const env = readEnvironment();
  return openRuntime({
    env,
    use: 'command',
    // A command speaks through its own messages; its log is for what goes wrong inside.
    log: (redactor) => createLogger({ level: env.logLevel === 'info' ? 'error' : env.logLevel, redactor, destination: 'stderr' }),
    ...(fileServers === null ? {} : { servers: () => fileServers }),
  });
}

function readFileServers(file: string, terminal: Terminal): FileServers {
  const read = FileServers.read(file);
  if (!read.ok) {
    const { message, line, column } = read.error;
    throw new UsageError(line === null ? `--config: ${message}` : `--config: ${file}, line ${line}, column ${column ?? 1}: ${message}`);
  }
  for (const warning of read.value.warnings) terminal.note(warning);
  return read.value;
}

/** The command line acts as admin for whoever can open the data directory (product section 14). */
function commandPrincipal(runtime: Runtime): Principal {
  const actor = { kind: 'cli', name: `cli:${userInfo().username}` } as const;
  return { actor, role: 'admin', sessionRunId: runtime.runs.sessionRun(`command:${randomUUID()}`, actor) };
}

/** The server of this key, an entry of the file that cannot be used, or a usage error that names the keys there are. */
export function requireKnown(session: CommandSession, text: string): Known {
  const record = findServer(session, text);
  if (record !== undefined) return { record, broken: null };
  const broken = session.broken.find(({ key }) => key === text);
  if (broken !== undefined) return { record: null, broken };
  const known = [...session.runtime.servers.list().map(({ entry }) => entry.key), ...session.broken.map(({ key }) => key)];
  throw new UsageError(
    known.length === 0
      ? `There is no server "${text}": no server is configured yet.`
      : `There is no server "${text}". Configured are: ${known.join(', ')}.`,
  );
}

/** The server of this key, where there is one. */
const findServer = ({ runtime }: CommandSession, text: string): ServerRecord | undefined =>
  isServerKey(text) ? runtime.servers.find(text) : undefined;
