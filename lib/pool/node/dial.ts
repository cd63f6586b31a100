import { err, ok, type Result } from '@/lib/core';
import { DEFAULT_LIMITS, isPackageRunner } from '@/lib/servers';
import type { ConnectFailure } from '..';
import type { OpenConnectionOptions, PrintedLine } from './connection';
import { resolveCommand } from './resolve-command';
import { startChild } from './spawn';
import type { StageTracker } from './stages';
import { findLiteralAddress } from './transports/dial';
import { HttpTransport, type HttpPhase } from './transports/http';
import { StdioTransport } from './transports/stdio';
import type { WireTransport } from './transports/transport';

type StdioSettings = Extract<OpenConnectionOptions['resolved']['transport'], { kind: 'stdio' }>;
type RemoteSettings = Exclude<OpenConnectionOptions['resolved']['transport'], { kind: 'stdio' }>;

/** Opens the transport of a server, not yet started; for a local one the child runs when this resolves. */
export function dial(options: OpenConnectionOptions, tracker: StageTracker, scrub: (text: string) => string): Promise<Result<WireTransport, ConnectFailure>> {
  const { transport } = options.resolved;
  return transport.kind === 'stdio' ? dialChild(transport, options, tracker, scrub) : Promise.resolve(ok(dialRemote(transport, options, tracker, scrub)));
}

const findLimitBytes = (options: OpenConnectionOptions): number =>
  options.resolved.limits.max_message_bytes ?? DEFAULT_LIMITS.max_message_bytes;

async function dialChild(
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
  return ok(new StdioTransport({ server, child: child.value, records: children, limitBytes: findLimitBytes(options), clock, onLine, scrub }));
}

function dialRemote(
  settings: RemoteSettings,
  options: OpenConnectionOptions,
  tracker: StageTracker,
  scrub: (text: string) => string,
): WireTransport {
  const { url, headers, tls, proxy } = settings;
  tracker.begin('resolve');
  if (proxy !== null) tracker.pass('resolve', `through the proxy ${new URL(proxy).host}`);
  else if (findLiteralAddress(url) !== null) tracker.pass('resolve', `${url.hostname} is an address`);
  if (proxy !== null || findLiteralAddress(url) !== null) tracker.begin('connect');
  return new HttpTransport({
    server: options.resolved.key,
    url,
    headers,
    tls,
    proxy,
    limitBytes: findLimitBytes(options),
    scrub,
    onPhase: (phase) => followPhase(phase, settings, tracker),
  });
}

/** Reports how far the first connection came; what comes again later is told already. */
function followPhase(phase: HttpPhase, { url, tls }: RemoteSettings, tracker: StageTracker): void {
  const { current } = tracker;
  switch (phase.phase) {
    case 'resolved':
      if (current !== 'resolve') return;
      tracker.pass('resolve', `${url.hostname} is ${phase.address}`);
      tracker.begin('connect');
      return;
    case 'connected':
      if (current !== 'connect' || url.protocol === 'https:') return;
      tracker.pass('connect', `connected to ${url.host}`);
      tracker.begin('http');
      return;
    case 'secured':
      if (current !== 'connect') return;
      if (tls.insecure) tracker.warn('connect', 'TLS not verified', phase.evidence);
      else tracker.pass('connect', `connected to ${url.host} over TLS`, phase.evidence);
      tracker.begin('http');
      return;
    case 'answered':
      if (current === 'connect') tracker.begin('http');
      if (phase.status === 401 || phase.status === 403) {
        tracker.pass('http', `HTTP ${phase.status}`);
        tracker.begin('auth');
      } else if (phase.status < 300) {
        tracker.pass('http', `HTTP ${phase.status}`);
        tracker.begin('auth');
        tracker.pass('auth', 'nothing more was asked for');
        tracker.begin('negotiate');
      }
  }
}
