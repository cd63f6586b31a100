'use client';

import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { toVisibleText } from '@/lib/core';
import { findingsOf, PLUMBING_TOOLS, riskOf, type ServerSnapshot } from '@/lib/manifests';
import { Button } from '../../ui/button';
import { Callout } from '../../ui/callout';
import { FailureNotice } from '../../ui/failure-notice';
import { Section } from '../../ui/page';
import { useToast } from '../../ui/toast';
import type { CancelTest, CreateServer, Failure, SaveOutcome, SaveServer, StartTest } from '../action';
import { TestReport } from '../test-report';
import { ToolTicks, type TickedTool } from '../tool-ticks';
import { useConnectionTest } from '../use-connection-test';
import { ConflictNotice } from './conflict-notice';
import { toConnectionMark, type Fields } from './entry-draft';
import { EntryFields, type EntryFieldsProps } from './entry-fields';
import { EntryFormProvider } from './form-context';
import { PasteField } from './paste-field';
import { useEntryDraft } from './use-entry-draft';

interface EntryFormProps extends Omit<EntryFieldsProps, 'keyIsSet'> {
  /** null for a server that is not saved yet. */
  readonly saved: { readonly key: string; readonly revision: number } | null;
  readonly initial: Fields;
  readonly createServer: CreateServer;
  readonly saveServer: SaveServer;
  readonly startTest: StartTest;
  readonly cancelTest: CancelTest;
}

/** A server entry as one pasted text and as a form beside it; tested before it is saved, or saved as it is. */
export function EntryForm({ saved, initial, createServer, saveServer, startTest, cancelTest, ...facts }: EntryFormProps) {
  const router = useRouter();
  const toast = useToast();
  const form = useEntryDraft(initial);
  const [pending, setPending] = useState<'test' | 'save' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [conflict, setConflict] = useState<Extract<SaveOutcome, { kind: 'conflict' }> | null>(null);
  const [revision, setRevision] = useState(saved?.revision ?? 0);
  const [tested, setTested] = useState<{ testId: string; mark: string } | null>(null);
  const [ticks, setTicks] = useState<{ testId: string; names: ReadonlySet<string> } | null>(null);
  const { test, error } = useConnectionTest(saved?.key ?? 'new', tested?.testId ?? null);

  const holds = tested !== null && tested.mark === toConnectionMark(form.stated);
  const isTesting = holds && test?.result == null && error === null;
  const snapshot = holds && test?.result?.ok === true ? test.result.snapshot : null;
  const tools = useMemo(() => toTicked(snapshot), [snapshot]);
  const ticked = ticks !== null && ticks.testId === tested?.testId ? ticks.names : new Set(tools.map((tool) => tool.name));

  const isRefused = form.reading.contradiction !== null;
  // What is new is tested first; saving it untried is there for those who mean it.
  const mainIsSave = saved !== null || snapshot !== null;

  const run = async (kind: 'test' | 'save', work: () => Promise<void>) => {
    setPending(kind);
    setFailure(null);
    try {
      await work();
    } finally {
      setPending(null);
    }
  };
  const start = () =>
    run('test', async () => {
      const answer = await startTest(saved !== null && form.isAsGiven ? { key: saved.key, fields: null } : { key: null, fields: form.stated });
      if (!answer.ok) return setFailure(answer);
      if ('fields' in answer.data) {
        form.ask();
        return form.tell(answer.data.fields);
      }
      return setTested({ testId: answer.data.testId, mark: toConnectionMark(form.stated) });
    });
  const save = (over: number) =>
    run('save', async () => {
      form.ask();
      const testId = holds ? tested.testId : null;
      const tools = snapshot === null ? null : [...ticked];
      const answer = saved === null ? await createServer({ fields: form.stated, testId, tools }) : await saveServer({ fields: form.stated, testId, revision: over });
      if (!answer.ok) return setFailure(answer);
      const outcome = answer.data;
      setConflict(outcome.kind === 'conflict' ? outcome : null);
      if (outcome.kind === 'invalid') return form.tell(outcome.fields);
      if (outcome.kind === 'conflict') return undefined;
      toast({ meaning: 'good', text: `${outcome.key} was saved.` });
      setRevision(outcome.revision);
      form.saved();
      // Addresses with a key are made at run time, beyond what typed routes can check.
      if (saved === null) router.push(`/servers/${outcome.key}` as Route);
      return router.refresh();
    });

  return (
    <div className="flex flex-col gap-6">
      <div className="grid gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {saved === null ? (
            <PasteField text={form.draft.pasted} {...form.reading} onKeep={form.keep} onText={form.paste} onChoose={form.choose} />
          ) : (
            // Folded: what stands in it may hold secrets in clear.
            <details>
              <summary className="font-medium">The same as JSON</summary>
              <PasteField text={form.draft.pasted} {...form.reading} onKeep={form.keep} onText={form.paste} onChoose={form.choose} />
            </details>
          )}
          {form.others.map((each) => <Callout key={`${each.field} ${each.message}`} meaning="bad" message={each.message} />)}
          {failure === null ? null : <FailureNotice failure={failure} />}
          {conflict === null ? null : (
            <ConflictNotice theirs={conflict.theirs} yours={form.stated} pending={pending === 'save'} onKeepMine={() => void save(conflict.theirRevision)} onTakeTheirs={() => window.location.reload()} />
          )}
          {tested !== null && !holds ? <p className="text-sm text-muted">The last test was of another connection: what it depends on was changed since. Test again.</p> : null}
          {tested !== null && holds ? <TestReport testId={tested.testId} test={test} error={error} cancelTest={cancelTest} onUseAddress={(address) => form.set('url', address)} /> : null}
          {saved === null && snapshot !== null && tested !== null ? (
            <Section title="Review its tools">
              <p className="max-w-prose text-sm text-muted">
                Those that stay ticked are exposed. Saving accepts all tools as they are now: one that changes later is held until someone has seen the difference.
              </p>
              <ToolTicks tools={tools} ticked={ticked} onChange={(names) => setTicks({ testId: tested.testId, names })} />
            </Section>
          ) : null}
          <div className="flex flex-wrap items-center gap-2 border-t border-line py-3">
            <Button variant={mainIsSave ? 'secondary' : 'primary'} disabled={isRefused} pending={pending === 'test' || isTesting} onClick={() => void start()}>{tested === null ? 'Test' : 'Test again'}</Button>
            <Button variant={mainIsSave ? 'primary' : 'secondary'} disabled={isRefused} pending={pending === 'save'} onClick={() => void save(revision)}>
              {saved === null && snapshot !== null ? `Save and expose ${ticked.size} ${ticked.size === 1 ? 'tool' : 'tools'}` : saved === null ? 'Save without a test' : 'Save'}
            </Button>
            {isRefused ? <span className="text-sm text-muted">Choose first what of the pasted text is meant.</span> : null}
            {form.errors.length === 0 || isRefused ? null : (
              <span className="text-sm text-muted">
                {form.errors.length === 1 ? toVisibleText(form.errors[0]?.message ?? '') : `${form.errors.length} fields need another value.`}
              </span>
            )}
          </div>
        </div>
        <EntryFormProvider value={{ fields: form.draft.fields, set: form.set, errorOf: form.errorOf, disabled: false }}>
          <EntryFields key={form.draft.generation} keyIsSet={saved !== null} {...facts} />
        </EntryFormProvider>
      </div>
    </div>
  );
}

function toTicked(snapshot: ServerSnapshot | null): readonly TickedTool[] {
  const declared = new Map(snapshot?.manifest?.tools.map((tool) => [tool.name, tool]));
  return (snapshot?.toolList.tools ?? [])
    .filter((tool) => !PLUMBING_TOOLS.has(tool.name))
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      risk: riskOf(tool.annotations),
      available: declared.get(tool.name)?.available ?? true,
      reason: declared.get(tool.name)?.reason ?? null,
      pin: null,
      findings: findingsOf(tool),
    }));
}
