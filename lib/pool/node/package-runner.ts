import { basename } from 'node:path';
import { DEFAULT_LIMITS, type ResolvedServer } from '@/lib/servers';

/** Commands that fetch what they run, with the sub-command that does it; null where they always do. */
const RUNNERS: Readonly<Record<string, readonly string[] | null>> = {
  npx: null, pnpx: null, bunx: null, uvx: null, pipx: ['run'], npm: ['exec', 'x'], pnpm: ['dlx', 'exec'], yarn: ['dlx'],
  bun: ['x'], uv: ['run', 'tool'], docker: ['run'], podman: ['run'], deno: ['run'], go: ['run'], dnx: null,
};

/** Whether a command installs or pulls before it runs, so that its first start takes its time. */
export function isPackageRunner(command: string, args: readonly string[]): boolean {
  const name = basename(command).replace(/\.(?:cmd|exe)$/i, '').toLowerCase();
  if (!(name in RUNNERS)) return false;
  const verbs = RUNNERS[name];
  return verbs === null || verbs === undefined ? true : args.some((argument) => verbs.includes(argument));
}

/** The clock of setting this server up, ms (product section 6.2). */
export function findConnectMs(resolved: ResolvedServer): number {
  const { transport, limits } = resolved;
  if (limits.connect_s !== undefined) return limits.connect_s * 1000;
  const installs = transport.kind === 'stdio' && isPackageRunner(transport.command, transport.args);
  return (installs ? DEFAULT_LIMITS.connect_package_runner_s : DEFAULT_LIMITS.connect_s) * 1000;
}
