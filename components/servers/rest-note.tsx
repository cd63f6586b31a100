'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { RelativeTime } from '../ui/relative-time';
import { useToast } from '../ui/toast';
import type { ChangeRest } from './action';

interface RestNoteProps {
  readonly reason: string;
  /** null while one call tries the server. */
  readonly untilAt: number | null;
  readonly serverKey: string;
  /** null for those who may not end a rest. */
  readonly changeRest: ChangeRest | null;
}

/** Why a server rests, until when, and the way to try it before that. */
export function RestNote({ reason, untilAt, serverKey, changeRest }: RestNoteProps) {
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const press = async (kind: 'let_one_through' | 'resume', done: string) => {
    if (changeRest === null) return;
    setPending(true);
    try {
      const answer = await changeRest({ keys: [serverKey], change: { kind } });
      if (!answer.ok) toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
      else if (answer.data.changed.length === 0) toast({ meaning: 'attention', text: `${serverKey} does not rest any more, or a call is trying it already.` });
      else toast({ meaning: 'good', text: done });
    } finally {
      setPending(false);
    }
  };
  return (
    <Callout
      meaning="resting"
      message={reason}
      action={
        changeRest === null ? undefined : (
          <>
            {untilAt === null ? null : (
              <Button size="small" disabled={pending} onClick={() => void press('let_one_through', `The next call to ${serverKey} goes through. If it is answered, the rest is over.`)}>
                Let one call through now
              </Button>
            )}
            <Button size="small" variant="quiet" disabled={pending} onClick={() => void press('resume', `Calls to ${serverKey} go through again.`)}>
              End the rest
            </Button>
          </>
        )
      }
    >
      <p className="text-sm text-muted">
        {untilAt === null ? (
          'Other calls are answered without being sent until that one has ended.'
        ) : (
          <>
            Calls are answered without being sent. One call tries it <RelativeTime at={untilAt} />.
          </>
        )}
        {changeRest === null ? ' An operator can let one call through before.' : null}
      </p>
    </Callout>
  );
}
