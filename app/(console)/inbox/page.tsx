import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { InboxView } from '@/components/inbox/inbox-view';
import { PageBody, PageHeader } from '@/components/ui/page';
import { markAll, markItems } from './actions';

export const metadata: Metadata = { title: 'Inbox' };

/** Items on a page, as in the read that follows. */
const PAGE_ITEMS = 50;

const toText = (parameter: string | string[] | undefined): string | undefined => (Array.isArray(parameter) ? parameter[0] : parameter);

export default async function InboxPage({ searchParams }: PageProps<'/inbox'>) {
  const { principal, runtime } = await requirePage('servers.see');
  const parameters = await searchParams;
  const unreadOnly = toText(parameters.unread) === '1';
  const server = toText(parameters.server);
  const search = new URLSearchParams({ ...(unreadOnly && { unread: '1' }), ...(server !== undefined && { server }) }).toString();
  const { inbox } = runtime.health;
  const person = principal.actor.name;
  const page = inbox.list(person, { before: null, limit: PAGE_ITEMS, unreadOnly, ...(server !== undefined && { server }) });
  return (
    <>
      <PageHeader title="Inbox" />
      <PageBody>
        <InboxView
          initial={{ search, page: { items: [...page.items], more: page.more, unread: inbox.countUnread(person), servers: [...inbox.servers()] } }}
          markItems={markItems}
          markAll={markAll}
        />
      </PageBody>
    </>
  );
}
