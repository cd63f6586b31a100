import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { SecretForm } from '@/components/settings/secret-form';
import { SecretsTable } from '@/components/settings/secrets-table';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { EmptyState } from '@/components/ui/empty-state';
import { Section } from '@/components/ui/page';
import { clearSecret, saveSecret } from './actions';

export const metadata: Metadata = { title: 'Vault' };

export default async function VaultPage() {
  const { principal, runtime } = await requirePage('servers.see');
  return (
    <SettingsFrame current="vault" permission="vault.manage" role={principal.role}>
      {() => {
        const secrets = runtime.vault.names();
        return (
          <>
            {secrets.length === 0 ? (
              <EmptyState title="No secrets yet">
                A secret is kept sealed and goes to a server by its name, written as {'${secret:NAME}'} in the server’s settings. It is never shown again.
              </EmptyState>
            ) : (
              <SecretsTable secrets={secrets} saveSecret={saveSecret} clearSecret={clearSecret} />
            )}
            <Section title="Add a secret">
              <SecretForm saveSecret={saveSecret} />
            </Section>
          </>
        );
      }}
    </SettingsFrame>
  );
}
