import { err, ok, type Result } from '@/lib/core';
import { DEFAULT_LIMITS, isPackageRunner, type ResolvedTransport } from '@/lib/servers';
import type { ConnectFailure } from '../..';
import type { OpenConnectionOptions, PrintedLine } from '../connection';
import { resolveCommand } from '../processes/resolve-command';
import { startChild } from '../processes/spawn';
import type { StageTracker } from './stages';
import { StdioTransport } from '../transports/stdio';
import type { WireTransport } from '../transports/transport';

type StdioSettings = Extract<ResolvedTransport, { kind: 'stdio' }>;

/** Starts a local server and takes its standard streams. */
export async function dialChild(
  settings: StdioSettings,
  options: OpenConnectionOptions,
  tracker: StageTracker,
  scrub: (text: string) => string,
): Promise<Result<WireTransport, ConnectFailure>> {
  const { resolved, children, clock } = options;
  const { command, args, env, cwd } = settings;
  const server = resolved.key;
  tracker.begin('resolve');
  const program = await resolveCommand({ server, command, cwd, env });
  if (!program.ok) return program;
  tracker.pass('resolve', program.value === command ? command : `${command} is ${program.value}`, { path: env.PATH });

  tracker.begin('spawn');
  const child = await startChild({ server, program: program.value, name: command, args, env, cwd }, children, clock);
  if (!child.ok) return err(child.error);
  options.onStarted?.({ serverKey: resolved.key, command, args });
  tracker.pass('spawn', `process ${child.value.pid}`);
  tracker.begin('negotiate');

  const isInstalling = isPackageRunner(command, args);
  const onLine = (line: PrintedLine) => {
    options.onLine?.(line);
    if (isInstalling && line.text.trim() !== '') options.onProgress?.(line.text);
  };
  return ok(new StdioTransport({ server, child: child.value, records: children, limitBytes: resolved.limits.max_message_bytes ?? DEFAULT_LIMITS.max_message_bytes, clock, onLine, scrub }));
}
