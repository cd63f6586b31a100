import type { ReactNode } from 'react';
import { may, roleFor, type Permission, type Role } from '@/lib/auth';
import { Callout } from '../ui/callout';
import { PageBody, PageHeader } from '../ui/page';
import { Tabs } from '../ui/tabs';

const TABS = [
  { key: 'people', label: 'People', href: '/settings/people' },
  { key: 'vault', label: 'Vault', href: '/settings/vault' },
  { key: 'retention', label: 'Ledger retention', href: '/settings/retention' },
  { key: 'audit', label: 'Audit', href: '/settings/audit' },
] as const;

interface SettingsFrameProps {
  readonly current: (typeof TABS)[number]['key'];
  /** What is needed to see this tab. */
  readonly permission: Permission;
  readonly role: Role;
  /** Made only for those who may see it. */
  readonly children: () => ReactNode;
}

/** The settings' header and tabs; for those who may not see a tab, who can. */
export const SettingsFrame = ({ current, permission, role, children }: SettingsFrameProps) => (
  <>
    <PageHeader title="Settings" />
    <PageBody>
      <Tabs label="Settings" tabs={TABS} current={current} />
      {may(role, permission) ? (
        children()
      ) : (
        <Callout
          meaning="attention"
          message={`This part of the settings needs the role ${roleFor(permission)}; you are signed in as ${role}.`}
          remedy="Ask an admin of this console."
        />
      )}
    </PageBody>
  </>
);
