'use client';

import type { Person } from '@/lib/auth/node';
import { toVisibleText } from '@/lib/core';
import { SubmittedForm } from '../auth/submitted-form';
import { useSubmission } from '../auth/use-submission';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useToast } from '../ui/toast';
import type { Action } from './action';

interface ResetPasswordDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly person: Person;
  readonly resetPassword: Action;
}

export function ResetPasswordDialog({ open, onClose, person, resetPassword }: ResetPasswordDialogProps) {
  const toast = useToast();
  const submission = useSubmission(resetPassword, () => {
    toast({ meaning: 'good', text: `${person.email} has a new password.` });
    onClose();
  });
  const close = () => {
    submission.reset();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`A new password for ${toVisibleText(person.name)}`}
      description="Their present sign-ins end. Tell them the password yourself: no mail is sent."
    >
      <SubmittedForm label="Another password" submission={submission} fields={['password']} extra={{ id: person.id }}>
        <Field label="New password" hint="At least 10 characters." error={submission.errorOf('password')}>
          <Input name="password" type="password" autoComplete="new-password" />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={close} disabled={submission.pending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={submission.pending}>
            Set the password
          </Button>
        </div>
      </SubmittedForm>
    </Dialog>
  );
}
