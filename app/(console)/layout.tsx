import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { requirePage } from '@/app/require-page';
import { ConsoleShell } from '@/components/shell/console-shell';
import { RAIL_COOKIE, THEME_COOKIE, toTheme } from '@/components/shell/theme';
import { LiveProvider } from '@/lib/live/client';
import { signOut } from '../(auth)/actions';

export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const { principal, runtime } = await requirePage('servers.see');
  const choices = await cookies();
  return (
    <LiveProvider after={runtime.ledger.reader.newestCursor()}>
      <ConsoleShell
        theme={toTheme(choices.get(THEME_COOKIE)?.value)}
        railCollapsed={choices.get(RAIL_COOKIE)?.value === 'collapsed'}
        person={{ name: principal.actor.name, role: principal.role }}
        signOut={signOut}
      >
        {children}
      </ConsoleShell>
    </LiveProvider>
  );
}
