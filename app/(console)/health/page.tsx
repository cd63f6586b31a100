import type { Metadata } from 'next';
import { listHealthRows } from '@/app/health-view';
import { requirePage } from '@/app/require-page';
import { HealthView } from '@/components/health/health-view';
import { WatchSettings } from '@/components/health/watch-settings';
import { PageBody, PageHeader, Section } from '@/components/ui/page';
import { may, roleFor } from '@/lib/auth';
import { WEBHOOK_SECRET } from '@/lib/health';
import { actOnServers, clearAddress, saveAddress, saveSettings, testAddress } from './actions';

export const metadata: Metadata = { title: 'Health' };

/** Posts that are shown. */
const DELIVERIES = 10;

export default async function HealthPage() {
  const { principal, runtime } = await requirePage('servers.see');
  const { health, vault } = runtime;
  const settings = health.settings.read();
  const maySet = may(principal.role, 'limits.manage') && may(principal.role, 'vault.manage');
  return (
    <>
      <PageHeader title="Health" />
      <PageBody>
        <HealthView initial={await listHealthRows(runtime, principal.role)} manages={may(principal.role, 'servers.manage')} act={actOnServers} />
        <Section title="How servers are watched">
          {maySet ? (
            <WatchSettings
              initial={settings}
              address={vault.names().find(({ name }) => name === WEBHOOK_SECRET) ?? null}
              deliveries={health.webhook.list(DELIVERIES)}
              actions={{ saveSettings, saveAddress, clearAddress, testAddress }}
            />
          ) : (
            <p className="max-w-prose text-sm text-muted">
              Each enabled server is checked about every {settings.interval_s} s.{' '}
              {settings.wake_idle ? 'Idle stdio servers are started for it.' : 'Idle stdio servers are left alone.'} The {roleFor('limits.manage')} can change that.
            </p>
          )}
        </Section>
      </PageBody>
    </>
  );
}
