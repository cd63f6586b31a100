'use client';

import { parseAsInteger, useQueryState } from 'nuqs';
import { useEffect, useRef, useState } from 'react';
import { callIds, type JsonObject } from '@/lib/core';
import { ArgumentForm } from '../../json/schema-form/argument-form';
import { Checkbox } from '../../ui/checkbox';
import { FailureNotice } from '../../ui/failure-notice';
import { Section } from '../../ui/page';
import type { CancelCall, Failure, StartCall } from '../action';
import { storeFile } from '../fetch-servers';
import type { ServerRights, ToolDetailView } from '../views';
import { CallFollower } from './call-follower';

interface CallPanelProps {
  readonly serverKey: string;
  readonly detail: ToolDetailView;
  /** Whether the server can open what this console stores. */
  readonly local: boolean;
  readonly rights: ServerRights;
  readonly seesContents: boolean;
  readonly initialText: string | undefined;
  readonly startCall: StartCall;
  readonly cancelCall: CancelCall;
}

/**
 * The form of a tool; its button sends and is the approval. What became of the call shows below, live; the address
 * keeps which call, so that coming back attaches to it.
 */
export function CallPanel({ serverKey, detail, local, rights, seesContents, initialText, startCall, cancelCall }: CallPanelProps) {
  const { tool } = detail;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sequence, setSequence] = useQueryState('call', parseAsInteger.withOptions({ shallow: true, history: 'replace' }));
  const here = useRef(true);
  const [tryAnyway, setTryAnyway] = useState(false);
  const withheld = !tool.available && tool.without === null;

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const call = async (value: JsonObject) => {
    setPending(true);
    setFailure(null);
    try {
      const answer = await startCall({ key: serverKey, tool: tool.name, callId: callIds.create(), argumentsText: JSON.stringify(value), tryAnyway: withheld && tryAnyway });
      // Whoever has left meanwhile keeps the address of where they went.
      if (!here.current) return;
      if (answer.ok) void setSequence(answer.data.sequence);
      else setFailure(answer);
    } finally {
      setPending(false);
    }
  };

  return (
    <Section title="Call it">
      <ArgumentForm
        schema={detail.inputSchema}
        initialText={initialText}
        chooseFile={local && rights.call ? storeFile : null}
        submitLabel={`Call ${tool.name.slice(0, 40)}`}
        pending={pending}
        refusal={toRefusal(rights, detail, withheld && !tryAnyway)}
        onSubmit={(value) => void call(value)}
        actions={
          withheld && rights.manage ? (
            <Checkbox label="Try anyway" hint="It is not available on this host: the server will most likely refuse." checked={tryAnyway} onChange={(event) => setTryAnyway(event.target.checked)} />
          ) : undefined
        }
      />
      {local || !rights.call ? null : <p className="text-sm text-muted">This server is elsewhere: a path names a file on its own machine.</p>}
      {failure === null ? null : <FailureNotice failure={failure} />}
      {sequence === null ? null : (
        <CallFollower
          key={sequence}
          sequence={sequence}
          serverKey={serverKey}
          tool={tool.name}
          outputSchema={detail.outputSchema}
          verifyWith={tool.verifyWith}
          seesContents={seesContents}
          cancelCall={rights.call ? cancelCall : null}
        />
      )}
    </Section>
  );
}

function toRefusal(rights: ServerRights, { tool }: ToolDetailView, withheld: boolean): string | null {
  if (!rights.call) return 'An analyst can call tools.';
  if (withheld) return rights.manage ? 'It is not available on this host.' : 'It is not available on this host; an operator can try anyway.';
  if (!rights.manage && !tool.exposed) return 'This tool is not exposed; an operator can call it, or expose it.';
  return null;
}
