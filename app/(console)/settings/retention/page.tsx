import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { RetentionForm } from '@/components/settings/retention-form';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { TombstoneTable } from '@/components/settings/tombstone-table';
import { Section } from '@/components/ui/page';
import { saveRetention } from './actions';

export const metadata: Metadata = { title: 'Ledger retention' };

const SHOWN_TOMBSTONES = 50;

export default async function RetentionPage() {
  const { principal, runtime } = await requirePage('servers.see');
  return (
    <SettingsFrame current="retention" permission="ledger.manage" role={principal.role}>
      {() => (
        <>
          <Section title="What is kept">
            <RetentionForm retention={runtime.ledger.retention.read()} saveRetention={saveRetention} />
          </Section>
          <Section title="What was deleted">
            <TombstoneTable tombstones={runtime.ledger.retention.listTombstones(SHOWN_TOMBSTONES)} />
          </Section>
        </>
      )}
    </SettingsFrame>
  );
}
