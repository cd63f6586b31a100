import type { Environment } from './env';

/** Where a browser on this machine reaches the console. */
export function toConsoleOrigin(env: Pick<Environment, 'host' | 'port'>): string {
  const reachable = env.host === '0.0.0.0' || env.host === '::' ? '127.0.0.1' : env.host;
  const name = reachable.includes(':') ? `[${reachable}]` : reachable;
  return new URL(`http://${name}:${env.port}`).origin;
}
