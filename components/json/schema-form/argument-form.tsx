'use client';

import { lazy, Suspense, useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { readArgumentsText, type JsonObject } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { Textarea } from '@/components/ui/textarea';
import { useMounted } from '@/components/ui/use-mounted';
import { describeVerdict, validateJson, type Verdict } from '../schema';
import { FormBoundary } from './form-boundary';
import { SchemaFormProvider, type ChooseFile } from './form-context';
import { planArguments } from './plan-arguments';

// The form library is large: it is fetched with the first form, not with the page.
const SchemaForm = lazy(() => import('./schema-form'));

interface ArgumentFormProps {
  /** The tool's input schema, as the server sent it. */
  readonly schema: unknown;
  /** What the form begins with, as JSON; an object, or text that is shown with what is wrong with it. */
  readonly initialText?: string;
  readonly chooseFile: ChooseFile | null;
  /** The words on the button. */
  readonly submitLabel: string;
  readonly pending: boolean;
  /** Who may not send sees why, in a sentence. */
  readonly refusal?: string | null;
  /** Sends exactly this. */
  readonly onSubmit: (value: JsonObject) => void;
  /** What else is pressed beside the main button. */
  readonly actions?: ReactNode;
}

interface Draft {
  readonly text: string;
  /** The last value that could be read; what the fields show. */
  readonly value: JsonObject;
  /** Rises when the JSON was edited by hand: the fields begin anew from it. */
  readonly generation: number;
}

const toText = (value: JsonObject): string => JSON.stringify(value, null, 2);

function openDraft(initialText: string | undefined): Draft {
  const read = readArgumentsText(initialText ?? '{}');
  return { text: read.ok && initialText === undefined ? '{}' : (initialText ?? '{}'), value: read.ok ? read.value : {}, generation: 0 };
}

/** A tool's arguments as a form made from its schema and as raw JSON beside it, each in step with the other. */
export function ArgumentForm({
  schema, initialText, chooseFile, submitLabel, pending, refusal = null, onSubmit, actions,
}: ArgumentFormProps) {
  const plan = useMemo(() => planArguments(schema), [schema]);
  const mounted = useMounted();
  const [draft, setDraft] = useState(() => openDraft(initialText));
  const [asked, setAsked] = useState(false);
  const read = readArgumentsText(draft.text);
  const verdict: Verdict = useMemo(
    () => (plan.check === null ? { kind: 'not_checked', reason: 'The arguments are not checked here; the server checks them.' } : validateJson(plan.check, draft.value)),
    [plan, draft.value],
  );
  const facts = useMemo(() => {
    const byPointer = new Map<string, string[]>();
    for (const { pointer, message } of asked && verdict.kind === 'misfits' ? verdict.misfits : []) byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), message]);
    return { misfits: byPointer, chooseFile };
  }, [asked, verdict, chooseFile]);

  const writeText = (text: string) => {
    const next = readArgumentsText(text);
    setDraft((before) => ({ text, value: next.ok ? next.value : before.value, generation: next.ok ? before.generation + 1 : before.generation }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal !== null || pending) return;
    setAsked(true);
    if (read.ok && verdict.kind !== 'misfits') onSubmit(read.value);
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <div className="grid gap-6 xl:grid-cols-2">
        {plan.form === null ? (
          <Callout meaning="attention" message={`No form can be made from this tool’s schema. ${plan.problem ?? ''}`} remedy="Write the arguments as JSON; they are sent as written." />
        ) : (
          <SchemaFormProvider value={facts}>
            <FormBoundary key={draft.generation} fallback={<Callout meaning="attention" message="The form could not be drawn from this tool’s schema." remedy="Write the arguments as JSON; they are sent as written." />}>
              <Suspense fallback={<Skeleton label="the form" lines={4} />}>
                <div className="flex min-w-0 flex-col gap-4">
                  {mounted ? (
                    <SchemaForm
                      schema={plan.form.schema}
                      initial={draft.value}
                      disabled={!read.ok}
                      onChange={(value) => setDraft((before) => ({ ...before, value, text: toText(value) }))}
                    />
                  ) : (
                    <Skeleton label="the form" lines={4} />
                  )}
                </div>
              </Suspense>
            </FormBoundary>
          </SchemaFormProvider>
        )}
        <div className="flex min-w-0 flex-col gap-2">
          <Field
            label="Arguments as JSON"
            hint="What is sent, exactly. The form and this follow each other."
            error={read.ok ? null : `Line ${read.error.line}, column ${read.error.column}: ${read.error.message}`}
          >
            <Textarea mono rows={Math.min(30, Math.max(8, draft.text.split('\n').length + 1))} value={draft.text} onChange={(event) => writeText(event.target.value)} />
          </Field>
          {plan.notes.map((note) => (
            <p key={note} className="max-w-prose text-sm text-muted">{note}</p>
          ))}
          {verdict.kind === 'not_checked' ? <p className="max-w-prose text-sm text-muted">{verdict.reason}</p> : null}
        </div>
      </div>
      {asked && verdict.kind === 'misfits' && read.ok ? (
        <div role="alert">
          <Callout
            meaning="attention"
            message={`The arguments do not fit the tool’s schema. ${describeVerdict(verdict) ?? ''}`}
            action={refusal === null ? <Button size="small" disabled={pending} onClick={() => onSubmit(read.value)}>Send it all the same</Button> : undefined}
          />
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={pending} disabled={refusal !== null || !read.ok || !mounted}>
          {submitLabel}
        </Button>
        {actions}
        {refusal === null ? null : <p className="text-sm text-muted">{refusal}</p>}
      </div>
    </form>
  );
}
