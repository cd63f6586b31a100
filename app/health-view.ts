import type { Role } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import type { HealthRow } from '@/lib/health';
import type { ServerRecord } from '@/lib/servers';
import { showState } from './show-printed';

/** Every server as the health page shows it to those of the role, as of now. */
export async function listHealthRows(runtime: Runtime, role: Role): Promise<HealthRow[]> {
  await runtime.health.refreshShares();
  return runtime.servers.list().map((record) => toHealthRow(runtime, record, role));
}

export function toHealthRow(runtime: Runtime, { entry, source }: ServerRecord, role: Role): HealthRow {
  const state = runtime.pool.state(entry.key);
  return {
    key: entry.key,
    label: entry.label,
    tags: entry.tags,
    enabled: entry.enabled,
    fromFile: source === 'file',
    transport: entry.transport,
    state: showState(state, role),
    ...runtime.health.describe(entry.key, state),
  };
}
