import { ServerLog } from '@/components/servers/server-log';
import { Callout } from '@/components/ui/callout';
import { may } from '@/lib/auth';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

export default async function LogPage({ params }: ServerPageProps) {
  const { principal, runtime, record } = await requireServerPage(params);
  const { key } = record.entry;
  if (!may(principal.role, 'ledger.see_contents')) {
    return <Callout meaning="disabled" message="What a server prints may hold what it was given; an analyst can see it." remedy="Ask an admin for that role if you need it." />;
  }
  return <ServerLog serverKey={key} initial={{ lines: [...runtime.pool.lines(key)], strayLines: runtime.pool.strayLines(key) }} />;
}
