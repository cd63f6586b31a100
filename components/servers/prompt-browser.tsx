'use client';

import { useState } from 'react';
import { toVisibleText, type JsonObject } from '@/lib/core';
import type { ListedPrompt } from '@/lib/manifests';
import { PromptContent } from '../json/result-content';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { FailureNotice } from '../ui/failure-notice';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import type { Failure, GetPrompt } from './action';

interface PromptBrowserProps {
  readonly serverKey: string;
  readonly prompts: readonly ListedPrompt[];
  readonly mayGet: boolean;
  readonly getPrompt: GetPrompt;
}

/** The prompts of a server, each with its arguments and what it becomes. */
export function PromptBrowser({ serverKey, prompts, mayGet, getPrompt }: PromptBrowserProps) {
  if (prompts.length === 0) {
    return <EmptyState title="No prompts"><p>This server lists none, or has not been read yet. Prompts are texts for a model that a server fills in.</p></EmptyState>;
  }
  return (
    <ul aria-label="Prompts" className="flex flex-col gap-4">
      {prompts.map((prompt, index) => (
        // A server may list a name twice.
        <li key={`${prompt.name} ${index}`}>
          <PromptForm serverKey={serverKey} prompt={prompt} mayGet={mayGet} getPrompt={getPrompt} />
        </li>
      ))}
    </ul>
  );
}

function PromptForm({ serverKey, prompt, mayGet, getPrompt }: Omit<PromptBrowserProps, 'prompts'> & { readonly prompt: ListedPrompt }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState(false);
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<JsonObject | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const missing = prompt.arguments.filter((argument) => argument.required && (values[argument.name] ?? '') === '');
  const get = async () => {
    setAsked(true);
    if (missing.length > 0) return;
    setPending(true);
    setFailure(null);
    try {
      const answer = await getPrompt({ key: serverKey, name: prompt.name, arguments: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) });
      if (answer.ok) setResult(answer.data.result);
      else setFailure(answer);
    } finally {
      setPending(false);
    }
  };
  return (
    <details className="border border-line bg-surface p-3">
      <summary>
        <code className="text-xs">{toVisibleText(prompt.name)}</code>
        {prompt.description === null ? null : <span className="text-muted"> {toVisibleText(prompt.description)}</span>}
      </summary>
      <form
        className="flex flex-col gap-3 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          void get();
        }}
      >
        {prompt.arguments.map((argument) => (
          <Field
            key={argument.name}
            label={toVisibleText(argument.name)}
            required={argument.required}
            hint={argument.description === null ? undefined : toVisibleText(argument.description)}
            error={asked && argument.required && (values[argument.name] ?? '') === '' ? 'This is required: fill it in.' : null}
          >
            <Textarea rows={1} value={values[argument.name] ?? ''} onChange={(event) => setValues({ ...values, [argument.name]: event.target.value })} />
          </Field>
        ))}
        <div className="flex items-center gap-2">
          <Button type="submit" pending={pending} disabled={!mayGet}>Get it</Button>
          {mayGet ? null : <span className="text-sm text-muted">An analyst can get prompts.</span>}
        </div>
        {failure === null ? null : <FailureNotice failure={failure} />}
        {result === null ? null : <PromptContent result={result} />}
      </form>
    </details>
  );
}
