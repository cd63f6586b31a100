import { TrafficView } from '@/components/servers/traffic/traffic-view';
import { Callout } from '@/components/ui/callout';
import { may } from '@/lib/auth';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

const FIRST_ROWS = 500;

export default async function TrafficPage({ params }: ServerPageProps) {
  const { principal, runtime, record } = await requireServerPage(params);
  const { key } = record.entry;
  if (!may(principal.role, 'traffic.see')) {
    return <Callout meaning="disabled" message="What passes between this console and a server is shown to an operator and to an admin." remedy="Ask an admin for that role if you need it." />;
  }
  return <TrafficView serverKey={key} initial={runtime.traffic.listRows(key, { after: null, limit: FIRST_ROWS })} />;
}
