'use client';

import { Callout } from '../ui/callout';
import type { ChangeAddress } from './action';
import { UseAddress } from './use-address';
import { useChangeAddress } from './use-change-address';
import type { ServerCardView } from './views';

interface FailedTestProps {
  readonly card: Pick<ServerCardView, 'key' | 'state' | 'lastTest'>;
  /** null for those who may not change it. */
  readonly changeAddress: ChangeAddress | null;
}

/** Why the last test of a server failed, where that is the newest that is known of it. */
export function FailedTest({ card: { key, state, lastTest }, changeAddress }: FailedTestProps) {
  const onUseAddress = useChangeAddress(key, changeAddress);
  const failure = lastTest?.failure ?? null;
  if (lastTest === null || failure === null || failure.isCancelled || !isNewest(state, lastTest.at)) return null;
  const address = failure.redirectAddress;
  return (
    <Callout
      meaning="bad"
      message={`Its last test failed. ${failure.message}`}
      remedy={failure.remedy}
      action={address === null || onUseAddress === null ? undefined : <UseAddress address={address} onUse={onUseAddress} />}
    />
  );
}

/** A state that has a failure of its own says that; a connection that was set up since shows that it is over. */
function isNewest(state: ServerCardView['state'], testedAt: number): boolean {
  switch (state.name) {
    case 'connected':
    case 'idle':
      return state.facts.connectedAt < testedAt;
    case 'starting':
      return state.lastFailure === undefined;
    case 'untested':
    case 'disabled':
      return true;
    case 'failing':
    case 'resting':
    case 'sign_in_needed':
      return false;
  }
}
