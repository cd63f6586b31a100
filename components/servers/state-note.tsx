'use client';

import { assertNever } from '@/lib/core';
import type { ServerState } from '@/lib/pool';
import { toVisibleText } from '@/lib/core';
import { Callout } from '../ui/callout';
import { RelativeTime } from '../ui/relative-time';
import type { ChangeAddress, ChangeRest } from './action';
import { findRedirectAddress } from './redirect-address';
import { RestNote } from './rest-note';
import { UseAddress } from './use-address';
import { useChangeAddress } from './use-change-address';

interface StateNoteProps {
  readonly state: ServerState;
  readonly serverKey: string;
  /** null for those who may not end a rest. */
  readonly changeRest: ChangeRest | null;
  /** null for those who may not change it, and where a file names the server. */
  readonly changeAddress: ChangeAddress | null;
}

/** What there is to say of a state beyond its word: the failure first, why a server rests and until when. */
export function StateNote({ state, serverKey, changeRest, changeAddress }: StateNoteProps) {
  const onUseAddress = useChangeAddress(serverKey, changeAddress);
  switch (state.name) {
    case 'failing': {
      const address = findRedirectAddress(state.failure);
      return (
        <Callout
          meaning="bad"
          message={state.failure.message}
          remedy={state.failure.remediation}
          action={address === null || onUseAddress === null ? undefined : <UseAddress address={address} onUse={onUseAddress} />}
        >
          <p className="text-sm text-muted">
            attempt {state.attempt}; {state.nextTryAt === null ? 'nothing tries again until someone asks' : <>next try <RelativeTime at={state.nextTryAt} /></>}
          </p>
        </Callout>
      );
    }
    case 'resting':
      return <RestNote reason={state.reason} untilAt={state.untilAt} serverKey={serverKey} changeRest={changeRest} />;
    case 'sign_in_needed':
      return <Callout meaning="attention" message={state.failure.message} remedy={state.failure.remediation} />;
    case 'starting':
      return (
        <>
          {state.lastFailure === undefined ? null : <Callout meaning="bad" message={state.lastFailure.message} remedy={state.lastFailure.remediation} note="That was the attempt before." />}
          <p className="text-sm text-muted">
            {state.progress === null ? `Connecting${state.attempt > 1 ? `, attempt ${state.attempt}` : ''}…` : toVisibleText(state.progress)}
          </p>
        </>
      );
    case 'untested':
      return <p className="text-sm text-muted">Nothing has connected to it yet: test it, or it connects on first use.</p>;
    case 'disabled':
    case 'connected':
    case 'idle':
      return null;
    default:
      return assertNever(state);
  }
}
