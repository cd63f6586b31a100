import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SetUpForm } from '@/components/auth/set-up-form';
import { Callout } from '@/components/ui/callout';
import { runtime as openedRuntime } from '@/lib/boot.instance';
import { setUp } from '../actions';

export const metadata: Metadata = { title: 'Set up' };

export default async function SetUpPage({ searchParams }: PageProps<'/setup'>) {
  const { token } = await searchParams;
  const { accounts } = await openedRuntime();
  if (accounts.hasAnyone()) redirect('/sign-in');
  const isOpen = typeof token === 'string' && accounts.isSetupOpen(token);
  return (
    <>
      <h1 className="text-xl font-semibold">Set up this console</h1>
      {isOpen ? (
        <>
          <p className="text-muted">The first account is an admin: it may do everything, and make accounts for others.</p>
          <SetUpForm setUp={setUp} token={token} />
        </>
      ) : (
        <Callout
          meaning="attention"
          message={
            token === undefined
              ? 'Nobody can sign in yet. The first account is made with a link that works once; the console printed it to its terminal when it started.'
              : 'This set-up link no longer works: a newer start of the console printed another.'
          }
          remedy="Open the link in the terminal where the console runs; starting it again prints a new one."
        />
      )}
    </>
  );
}
