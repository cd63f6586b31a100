'use client';

import type { ActionResult } from '@/lib/core';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { SubmittedForm } from './submitted-form';
import { useSubmission } from './use-submission';

interface SetUpFormProps {
  /** Makes the first admin, signs them in and leads on. */
  readonly setUp: (input: unknown) => Promise<ActionResult<never>>;
  readonly token: string;
}

export function SetUpForm({ setUp, token }: SetUpFormProps) {
  const submission = useSubmission(setUp);
  return (
    <SubmittedForm label="Make the first admin" submission={submission} fields={['name', 'email', 'password']} extra={{ token }}>
      <Field label="Name" error={submission.errorOf('name')}>
        <Input name="name" autoComplete="name" autoFocus />
      </Field>
      <Field label="E-mail address" hint="You sign in with it; no mail is sent." error={submission.errorOf('email')}>
        <Input name="email" type="email" autoComplete="username" />
      </Field>
      <Field label="Password" hint="At least 10 characters." error={submission.errorOf('password')}>
        <Input name="password" type="password" autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" pending={submission.pending}>
        Make the first admin
      </Button>
    </SubmittedForm>
  );
}
