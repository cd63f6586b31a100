import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { listCards } from '@/app/server-view';
import { ServerList } from '@/components/servers/server-list';
import { LinkButton } from '@/components/ui/link-button';
import { PageBody, PageHeader } from '@/components/ui/page';
import { changeRest } from '../rest-actions';
import { changeAddress, deleteServer, putSample, restoreBundled, setEnabled, startTest } from './actions';
import { toRights } from './rights';

export const metadata: Metadata = { title: 'Servers' };

export default async function ServersPage() {
  const { principal, runtime } = await requirePage('servers.see');
  const rights = toRights(principal);
  return (
    <>
      <PageHeader title="Servers" action={rights.manage ? <LinkButton variant="primary" href="/servers/new">Add a server</LinkButton> : undefined} />
      <PageBody>
        <ServerList initial={listCards(runtime, principal.role)} rights={rights} actions={{ startTest, setEnabled, deleteServer, restoreBundled, putSample, changeRest, changeAddress }} />
      </PageBody>
    </>
  );
}
