'use client';

import { useRouter } from 'next/navigation';
import type { Route } from 'next';
import { useState, type ReactNode } from 'react';
import { callIds, readArgumentsText, type ActionResult } from '@/lib/core';
import { Button } from '../../ui/button';
import { Callout } from '../../ui/callout';
import { FailureNotice } from '../../ui/failure-notice';
import { Field } from '../../ui/field';
import { LinkButton } from '../../ui/link-button';
import { Textarea } from '../../ui/textarea';

interface CallAgainInput {
  readonly sequence: number;
  /** Made for each press: the same id twice is one call. */
  readonly callId: string;
  readonly argumentsText: string;
}

type CallAgainAction = (input: CallAgainInput) => Promise<ActionResult<{ readonly sequence: number }>>;

interface CallAgainProps {
  readonly sequence: number;
  readonly serverKey: string;
  readonly tool: string;
  readonly argumentsText: string;
  /** The tool's own form with these arguments; null where the tool is not there any more. */
  readonly formHref: string | null;
  /** What to look at first, for a call that may have happened; null for any other. */
  readonly verification: ReactNode;
  readonly callAgain: CallAgainAction;
}

/** The same call with arguments that can be edited first; its button is its approval. */
export function CallAgain({ sequence, serverKey, tool, argumentsText, formHref, verification, callAgain }: CallAgainProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState(argumentsText);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Extract<ActionResult<unknown>, { readonly ok: false }> | null>(null);
  const read = readArgumentsText(text);

  const call = async () => {
    setPending(true);
    setFailure(null);
    try {
      const answer = await callAgain({ sequence, callId: callIds.create(), argumentsText: text });
      // Addresses with a number are made at run time, beyond what typed routes can check.
      if (answer.ok) router.push(`/ledger/${answer.data.sequence}` as Route);
      else setFailure(answer);
    } finally {
      setPending(false);
    }
  };

  if (!open) return <Button onClick={() => setOpen(true)}>Call again…</Button>;
  return (
    <div className="flex flex-col gap-3 rounded-sm border border-line bg-surface p-4">
      <h2 className="font-semibold">Call again</h2>
      {verification === null ? null : (
        <Callout meaning="unknown" message="First see whether the call was carried out: made again, it may be carried out twice.">
          {verification}
        </Callout>
      )}
      <Field
        label={`Arguments for ${tool}, as JSON`}
        hint={`Exactly this is sent to ${serverKey}.`}
        error={read.ok ? null : `Line ${read.error.line}, column ${read.error.column}: ${read.error.message}`}
      >
        <Textarea mono rows={Math.min(24, Math.max(4, text.split('\n').length + 1))} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      {failure === null ? null : <FailureNotice failure={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button variant={verification === null ? 'primary' : 'secondary'} disabled={!read.ok} pending={pending} onClick={() => void call()}>
          {verification === null ? `Call ${tool}` : `Call ${tool} all the same`}
        </Button>
        {formHref === null ? null : <LinkButton href={formHref}>Edit in the tool’s form</LinkButton>}
        <Button variant="quiet" onClick={() => setOpen(false)}>
          Close
        </Button>
      </div>
    </div>
  );
}
