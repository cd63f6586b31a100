import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentPrincipal } from '@/app/require-page';
import { Callout } from '@/components/ui/callout';
import { LinkButton } from '@/components/ui/link-button';
import { PERMISSIONS, roleFor, type Permission } from '@/lib/auth';

export const metadata: Metadata = { title: 'No permission' };

const isPermission = (text: unknown): text is Permission => typeof text === 'string' && Object.hasOwn(PERMISSIONS, text);

export default async function NoPermissionPage({ searchParams }: PageProps<'/no-permission'>) {
  const principal = await currentPrincipal();
  if (principal === null) redirect('/sign-in');
  const { need } = await searchParams;
  const who = isPermission(need) ? roleFor(need) : 'admin';
  return (
    <>
      <h1 className="text-xl font-semibold">You may not see this page</h1>
      <Callout
        meaning="attention"
        message={`It needs the role ${who}; you are signed in as ${principal.role}.`}
        remedy="Ask an admin of this console to change your role."
      />
      <div>
        <LinkButton href="/servers">To the servers</LinkButton>
      </div>
    </>
  );
}
