'use client';

import { useState, useTransition } from 'react';
import type { Person } from '@/lib/auth/node';
import { ROLES, type Role } from '@/lib/auth';
import { toVisibleText } from '@/lib/core';
import { Badge } from '../ui/badge';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Menu } from '../ui/menu';
import { RelativeTime } from '../ui/relative-time';
import { Select } from '../ui/select';
import { Status } from '../ui/status';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import { useToast } from '../ui/toast';
import type { Action } from './action';
import { ResetPasswordDialog } from './reset-password-dialog';

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly ownEmail: string;
  readonly setRole: Action;
  readonly disable: Action;
  readonly enable: Action;
  readonly resetPassword: Action;
}

export const PeopleTable = ({ people, ...rest }: PeopleTableProps) => (
  <Table label="People">
    <TableHead>
      <TableHeading>Name</TableHeading>
      <TableHeading>E-mail address</TableHeading>
      <TableHeading>Role</TableHeading>
      <TableHeading>Signs in</TableHeading>
      <TableHeading>Added</TableHeading>
      <TableHeading>
        <span className="sr-only">Actions</span>
      </TableHeading>
    </TableHead>
    <tbody>
      {people.map((person) => (
        <PersonRow key={person.id} person={person} {...rest} />
      ))}
    </tbody>
  </Table>
);

interface PersonRowProps extends Omit<PeopleTableProps, 'people'> {
  readonly person: Person;
}

function PersonRow({ person, ownEmail, setRole, disable, enable, resetPassword }: PersonRowProps) {
  const [asked, setAsked] = useState<'disable' | 'password' | null>(null);
  const [pending, startTransition] = useTransition();
  const toast = useToast();
  const name = toVisibleText(person.name);

  const tell = async (action: Action, input: unknown, done: string) => {
    const answer = await action(input);
    toast(answer.ok ? { meaning: 'good', text: done } : { meaning: 'bad', text: answer.message, remedy: answer.remedy });
  };
  const changeRole = (role: Role) => startTransition(() => tell(setRole, { id: person.id, role }, `${person.email} is now ${role}.`));

  return (
    <TableRow>
      <TableCell>
        {name} {person.email === ownEmail ? <Badge>you</Badge> : null}
      </TableCell>
      <TableCell>{person.email}</TableCell>
      <TableCell>
        <Select
          aria-label={`Role of ${name}`}
          value={person.role}
          disabled={pending}
          options={ROLES.map((role) => ({ value: role, label: role }))}
          onChange={(event) => {
            const role = ROLES.find((known) => known === event.target.value);
            if (role !== undefined) changeRole(role);
          }}
        />
      </TableCell>
      <TableCell>{person.disabled ? <Status meaning="disabled" word="disabled" /> : <Status meaning="good" word="yes" />}</TableCell>
      <TableCell>
        <RelativeTime at={person.addedAt} />
      </TableCell>
      <TableCell className="text-right">
        <Menu
          label={`More for ${name}`}
          items={[
            { kind: 'action', key: 'password', label: 'Set a new password', onSelect: () => setAsked('password') },
            person.disabled
              ? {
                  kind: 'action',
                  key: 'enable',
                  label: 'Enable',
                  onSelect: () => startTransition(() => tell(enable, { id: person.id }, `${person.email} can sign in again.`)),
                }
              : { kind: 'action', key: 'disable', label: 'Disable', danger: true, onSelect: () => setAsked('disable') },
          ]}
        />
        <ConfirmDialog
          open={asked === 'disable'}
          onClose={() => setAsked(null)}
          title={`Disable ${name}?`}
          description="Their sign-ins end now and they cannot sign in again until an admin enables them. What they did stays on record."
          confirmLabel="Disable"
          danger
          onConfirm={() => tell(disable, { id: person.id }, `${person.email} can no longer sign in.`)}
        />
        <ResetPasswordDialog open={asked === 'password'} onClose={() => setAsked(null)} person={person} resetPassword={resetPassword} />
      </TableCell>
    </TableRow>
  );
}
