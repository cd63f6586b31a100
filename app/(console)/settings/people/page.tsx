import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { AddPersonForm } from '@/components/settings/add-person-form';
import { PeopleTable } from '@/components/settings/people-table';
import { RolesTable } from '@/components/settings/roles-table';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { Section } from '@/components/ui/page';
import { addPerson, disablePerson, enablePerson, resetPassword, setRole } from './actions';

export const metadata: Metadata = { title: 'People' };

export default async function PeoplePage() {
  const { principal, runtime } = await requirePage('servers.see');
  return (
    <SettingsFrame current="people" permission="people.manage" role={principal.role}>
      {() => (
        <>
          <PeopleTable
            people={runtime.accounts.list()}
            ownEmail={principal.actor.name}
            setRole={setRole}
            disable={disablePerson}
            enable={enablePerson}
            resetPassword={resetPassword}
          />
          <Section title="Add somebody">
            <AddPersonForm addPerson={addPerson} />
          </Section>
          <Section title="What each role may">
            <RolesTable />
          </Section>
        </>
      )}
    </SettingsFrame>
  );
}
