'use client';

import { useState } from 'react';
import { SubmittedForm } from '../auth/submitted-form';
import { useSubmission } from '../auth/use-submission';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useToast } from '../ui/toast';
import type { Action } from './action';

interface SecretFormProps {
  readonly saveSecret: Action<{ readonly name: string }>;
  /** The secret whose value is replaced; a new one without it. */
  readonly name?: string;
  readonly onSaved?: () => void;
}

export function SecretForm({ saveSecret, name, onSaved }: SecretFormProps) {
  const toast = useToast();
  // A new form for each secret: no value stays in the page.
  const [saved, setSaved] = useState(0);
  const submission = useSubmission(saveSecret, (answer) => {
    toast({ meaning: 'good', text: `${answer.name} is in the vault.` });
    setSaved((count) => count + 1);
    onSaved?.();
  });
  const isNew = name === undefined;
  return (
    <SubmittedForm
      key={saved}
      label={isNew ? 'Add a secret' : `Replace ${name}`}
      submission={submission}
      fields={isNew ? ['name', 'value'] : ['value']}
      extra={isNew ? undefined : { name }}
      className="grid max-w-3xl gap-4 sm:grid-cols-2"
    >
      {isNew ? (
        <Field label="Name" hint="Capital letters, digits and “_”." error={submission.errorOf('name')}>
          <Input name="name" mono placeholder="API_KEY" />
        </Field>
      ) : null}
      <Field label="Value" error={submission.errorOf('value')}>
        <Input name="value" type="password" autoComplete="off" mono />
      </Field>
      <div className="sm:col-span-2">
        <Button type="submit" variant="primary" pending={submission.pending}>
          {isNew ? 'Add' : 'Replace'}
        </Button>
      </div>
    </SubmittedForm>
  );
}
