'use client';

import { useState } from 'react';
import { ROLES } from '@/lib/auth';
import { SubmittedForm } from '../auth/submitted-form';
import { useSubmission } from '../auth/use-submission';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { useToast } from '../ui/toast';
import type { Action } from './action';

export function AddPersonForm({ addPerson }: { readonly addPerson: Action<{ readonly email: string }> }) {
  const toast = useToast();
  // A new form for each person: the fields of the last one are empty again.
  const [added, setAdded] = useState(0);
  const submission = useSubmission(addPerson, ({ email }) => {
    toast({ meaning: 'good', text: `${email} can sign in now.` });
    setAdded((count) => count + 1);
  });
  return (
    <SubmittedForm
      key={added}
      label="Add somebody"
      submission={submission}
      fields={['name', 'email', 'role', 'password']}
      className="grid max-w-3xl gap-4 sm:grid-cols-2"
    >
      <Field label="Name" error={submission.errorOf('name')}>
        <Input name="name" />
      </Field>
      <Field label="E-mail address" error={submission.errorOf('email')}>
        <Input name="email" type="email" />
      </Field>
      <Field label="Role" error={submission.errorOf('role')}>
        <Select name="role" defaultValue="viewer" options={ROLES.map((role) => ({ value: role, label: role }))} />
      </Field>
      <Field label="First password" hint="At least 10 characters. Tell it to them yourself: no mail is sent." error={submission.errorOf('password')}>
        <Input name="password" type="password" autoComplete="new-password" />
      </Field>
      <div>
        <Button type="submit" variant="primary" pending={submission.pending}>
          Add
        </Button>
      </div>
    </SubmittedForm>
  );
}
