'use client';

import { LogOut, UserRound } from 'lucide-react';
import { useTransition } from 'react';
import { toVisibleText } from '@/lib/core';
import { Menu } from '../ui/menu';

/** Ends the session and leads to the sign-in page. */
export type SignOut = (input: null) => Promise<unknown>;

interface PersonMenuProps {
  readonly name: string;
  readonly role: string;
  readonly signOut: SignOut;
}

export function PersonMenu({ name, role, signOut }: PersonMenuProps) {
  const [, startTransition] = useTransition();
  return (
    <Menu
      label={`Signed in as ${toVisibleText(name)}, ${role}`}
      icon={<UserRound size={16} aria-hidden="true" />}
      items={[
        { kind: 'note', key: 'who', text: `${toVisibleText(name)}, ${role}` },
        { kind: 'separator', key: 'line' },
        {
          kind: 'action',
          key: 'sign-out',
          label: 'Sign out',
          icon: <LogOut size={14} aria-hidden="true" />,
          onSelect: () =>
            startTransition(async () => {
              await signOut(null);
            }),
        },
      ]}
    />
  );
}
