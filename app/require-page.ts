import type { Route } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { may, type Permission, type Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { runtime as openedRuntime } from '@/lib/boot.instance';

/** Who asks for this page, null for nobody; looked up once for a request, layout and page together. */
export const currentPrincipal = cache(async (): Promise<Principal | null> => {
  const runtime = await openedRuntime();
  return runtime.accounts.principalFor(await headers());
});

/** Lets a page render for those who may see it; others go to sign-in, or to the page that says who can. */
export async function requirePage(permission: Permission): Promise<{ principal: Principal; runtime: Runtime }> {
  const principal = await currentPrincipal();
  if (principal === null) redirect(await toSignIn());
  if (!may(principal.role, permission)) redirect(`/no-permission?need=${permission}`);
  return { principal, runtime: await openedRuntime() };
}

/** `proxy.ts` puts the path of the page into the header. */
async function toSignIn(): Promise<Route> {
  const next = (await headers()).get('x-signalbox-path');
  return next === null || next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
}
