'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button';
import { Status } from '../ui/status';
import { Switch } from '../ui/switch';
import { useToast } from '../ui/toast';
import type { CancelTest, ChangeAddress, KeyAction, SetEnabled, StartTest } from './action';
import { TestReport } from './test-report';
import { useChangeAddress } from './use-change-address';
import { useConnectionTest } from './use-connection-test';
import type { ServerRights } from './views';

interface ServerPressesProps {
  readonly serverKey: string;
  readonly enabled: boolean;
  readonly writable: boolean;
  readonly rights: ServerRights;
  /** When the test ended that the page shows further down; null where it shows none. */
  readonly lastTestAt: number | null;
  readonly startTest: StartTest;
  readonly cancelTest: CancelTest;
  readonly refreshServer: KeyAction;
  readonly setEnabled: SetEnabled;
  readonly changeAddress: ChangeAddress;
}

/** What can be done with a server from its overview, and the test that was started here. */
export function ServerPresses({ serverKey, enabled, writable, rights, lastTestAt, startTest, cancelTest, refreshServer, setEnabled, changeAddress }: ServerPressesProps) {
  const toast = useToast();
  const [testId, setTestId] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const { test, error } = useConnectionTest(serverKey, testId);
  const onUseAddress = useChangeAddress(serverKey, writable ? changeAddress : null);
  const once = async (work: () => Promise<{ ok: true } | { ok: false; message: string; remedy: string | null }>) => {
    setPending(true);
    try {
      const answer = await work();
      if (!answer.ok) toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
    } finally {
      setPending(false);
    }
  };
  const start = () =>
    once(async () => {
      const answer = await startTest({ key: serverKey, fields: null });
      if (answer.ok && 'testId' in answer.data) setTestId(answer.data.testId);
      return answer;
    });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {rights.manage ? <Button pending={pending} onClick={() => void start()}>Test</Button> : null}
        {rights.call && enabled ? (
          <Button icon={<RefreshCw size={14} aria-hidden="true" />} disabled={pending} onClick={() => void once(() => refreshServer({ key: serverKey }))}>
            Read again
          </Button>
        ) : null}
        {writable ? (
          <span className="flex items-center gap-1 text-sm text-muted">
            enabled
            <Switch checked={enabled} disabled={pending} label={`${serverKey} enabled`} onChange={(on) => void once(() => setEnabled({ key: serverKey, enabled: on }))} />
          </span>
        ) : null}
        {rights.manage ? null : <span className="text-sm text-muted">An operator can test, change and review this server.</span>}
      </div>
      {testId === null ? null : test?.result != null && test.result.finishedAt === lastTestAt ? (
        <p role="status" className="flex flex-wrap items-center gap-x-3 text-sm">
          <Status {...(test.result.ok ? { meaning: 'good', word: 'the test passed' } : { meaning: 'bad', word: 'the test failed' })} />
          <a href="#last-test" className="text-accent hover:underline">See its stages</a>
        </p>
      ) : (
        <TestReport testId={testId} test={test} error={error} cancelTest={cancelTest} onUseAddress={onUseAddress} />
      )}
    </div>
  );
}
