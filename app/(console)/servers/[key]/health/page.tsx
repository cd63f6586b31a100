import { toHealthRow } from '@/app/health-view';
import { ServerHealth } from '@/components/health/server-health';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

/** Changes that are shown. */
const CHANGES = 50;

export default async function ServerHealthPage({ params }: ServerPageProps) {
  const { principal, runtime, record } = await requireServerPage(params);
  await runtime.health.refreshShares();
  return <ServerHealth row={toHealthRow(runtime, record, principal.role)} changes={runtime.health.history.listChanges(record.entry.key, CHANGES)} />;
}
