'use client';

import type { ActionResult } from '@/lib/core';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { SubmittedForm } from './submitted-form';
import { useSubmission } from './use-submission';

interface SignInFormProps {
  /** Leads on to `next` when it lets somebody in. */
  readonly signIn: (input: unknown) => Promise<ActionResult<never>>;
  readonly next: string;
}

export function SignInForm({ signIn, next }: SignInFormProps) {
  const submission = useSubmission(signIn);
  return (
    <SubmittedForm label="Sign in" submission={submission} fields={['email', 'password']} extra={{ next }}>
      <Field label="E-mail address" error={submission.errorOf('email')}>
        <Input name="email" type="email" autoComplete="username" autoFocus />
      </Field>
      <Field label="Password" error={submission.errorOf('password')}>
        <Input name="password" type="password" autoComplete="current-password" />
      </Field>
      <Button type="submit" variant="primary" pending={submission.pending}>
        Sign in
      </Button>
    </SubmittedForm>
  );
}
