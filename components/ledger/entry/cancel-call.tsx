'use client';

import { useState } from 'react';
import type { ActionResult } from '@/lib/core';
import { Button } from '../../ui/button';
import { useToast } from '../../ui/toast';

type CancelCallAction = (input: { readonly sequence: number }) => Promise<ActionResult<{ readonly cancelled: boolean }>>;

/** Gives a running call up; the server is told. */
export function CancelCall({ sequence, cancelCall }: { readonly sequence: number; readonly cancelCall: CancelCallAction }) {
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const cancel = async () => {
    setPending(true);
    try {
      const answer = await cancelCall({ sequence });
      if (!answer.ok) toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
      else if (!answer.data.cancelled) toast({ meaning: 'attention', text: 'The call had ended before it could be cancelled.' });
    } finally {
      setPending(false);
    }
  };
  return (
    <Button variant="danger" pending={pending} onClick={() => void cancel()}>
      Cancel the call
    </Button>
  );
}
