import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentPrincipal } from '@/app/require-page';
import { SignInForm } from '@/components/auth/sign-in-form';
import { runtime as openedRuntime } from '@/lib/boot.instance';
import { signIn } from '../actions';
import { toNextPath } from '../next-path';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const next = toNextPath((await searchParams).next);
  const { accounts } = await openedRuntime();
  if (!accounts.hasAnyone()) redirect('/setup');
  if ((await currentPrincipal()) !== null) redirect(next);
  return (
    <>
      <h1 className="text-xl font-semibold">Sign in</h1>
      <SignInForm signIn={signIn} next={next} />
      <p className="text-sm text-muted">An admin of this console makes accounts and sets new passwords.</p>
    </>
  );
}
