import type { ReactNode } from 'react';
import { SkipLink } from '../ui/skip-link';
import { BottomBar } from './bottom-bar';
import type { SignOut } from './person-menu';
import { Rail } from './rail';
import type { Theme } from './theme';
import { Tools } from './tools';

interface ConsoleShellProps {
  readonly theme: Theme;
  readonly railCollapsed: boolean;
  readonly person: { readonly name: string; readonly role: string };
  readonly signOut: SignOut;
  readonly children: ReactNode;
}

/** The frame of every page of someone who is signed in. */
export const ConsoleShell = ({ theme, railCollapsed, person, signOut, children }: ConsoleShellProps) => (
  <div className="flex min-h-dvh">
    <SkipLink />
    <Rail startsCollapsed={railCollapsed} />
    <Tools theme={theme} person={person} signOut={signOut} />
    <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col pb-(--bar-height) outline-none">
      {children}
    </main>
    <BottomBar />
  </div>
);
