import { DEFAULT_LIMITS, isPackageRunner, type ResolvedServer } from '@/lib/servers';

/** The clock of setting this server up, ms (product section 6.2): a package runner may have to install first. */
export function findConnectMs({ transport, limits }: ResolvedServer): number {
  if (limits.connect_s !== undefined) return limits.connect_s * 1000;
  const installs = transport.kind === 'stdio' && isPackageRunner(transport.command, transport.args);
  return (installs ? DEFAULT_LIMITS.connect_package_runner_s : DEFAULT_LIMITS.connect_s) * 1000;
}
