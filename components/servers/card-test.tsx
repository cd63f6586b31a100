'use client';

import { Button } from '../ui/button';
import type { ChangeAddress } from './action';
import { TestReport } from './test-report';
import { useChangeAddress } from './use-change-address';
import { useConnectionTest } from './use-connection-test';

interface CardTestProps {
  readonly serverKey: string;
  readonly testId: string;
  readonly changeAddress: ChangeAddress | null;
  readonly onDismiss: () => void;
}

/** The test that was started from a card, in the card. */
export function CardTest({ serverKey, testId, changeAddress, onDismiss }: CardTestProps) {
  const { test, error } = useConnectionTest(serverKey, testId);
  const onUseAddress = useChangeAddress(serverKey, changeAddress);
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      <TestReport testId={testId} test={test} error={error} onUseAddress={onUseAddress} />
      {test?.result == null && error === null ? null : (
        <div>
          <Button size="small" variant="quiet" onClick={onDismiss}>Put away</Button>
        </div>
      )}
    </div>
  );
}
