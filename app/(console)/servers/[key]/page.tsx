import { toDetail } from '@/app/server-view';
import { ServerOverview } from '@/components/servers/server-overview';
import { ServerPresses } from '@/components/servers/server-presses';
import { changeRest } from '../../rest-actions';
import { cancelTest, changeAddress, refreshServer, setEnabled, startTest } from '../actions';
import { requireServerPage, type ServerPageProps } from './require-server-page';

export default async function ServerPage({ params }: ServerPageProps) {
  const { principal, runtime, record, rights } = await requireServerPage(params);
  const server = toDetail(runtime, record, principal.role);
  return (
    <div className="flex flex-col gap-4">
      <ServerPresses
        serverKey={server.card.key}
        enabled={server.card.enabled}
        writable={rights.manage && !server.card.fromFile}
        rights={rights}
        lastTestAt={server.lastTest?.finishedAt ?? null}
        startTest={startTest}
        cancelTest={cancelTest}
        refreshServer={refreshServer}
        setEnabled={setEnabled}
        changeAddress={changeAddress}
      />
      <ServerOverview server={server} rights={rights} changeRest={changeRest} changeAddress={changeAddress} />
    </div>
  );
}
