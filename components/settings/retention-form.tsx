'use client';

import { toRetentionSentence, type Retention } from '@/lib/ledger';
import { SubmittedForm } from '../auth/submitted-form';
import { useSubmission } from '../auth/use-submission';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useToast } from '../ui/toast';
import type { Action } from './action';

interface RetentionFormProps {
  readonly retention: Retention;
  readonly saveRetention: Action;
}

/** How long calls are kept; empty fields set no limit. */
export function RetentionForm({ retention, saveRetention }: RetentionFormProps) {
  const toast = useToast();
  const submission = useSubmission(saveRetention, () => toast({ meaning: 'good', text: 'The retention of the ledger was saved.' }));
  return (
    <>
      <p className="max-w-prose">
        {toRetentionSentence(retention)} What is beyond a limit is deleted for good, with its arguments and results, beginning at once; what
        was deleted, of which run and when stays on record.
      </p>
      <SubmittedForm label="Retention of the ledger" submission={submission} fields={['days', 'entries']} className="grid max-w-3xl gap-4 sm:grid-cols-2">
        <Field label="Keep for days" hint="Empty: no limit." error={submission.errorOf('days')}>
          <Input name="days" inputMode="numeric" defaultValue={retention.days ?? ''} />
        </Field>
        <Field label="Keep entries at most" hint="Empty: no limit." error={submission.errorOf('entries')}>
          <Input name="entries" inputMode="numeric" defaultValue={retention.entries ?? ''} />
        </Field>
        <div className="sm:col-span-2">
          <Button type="submit" variant="primary" pending={submission.pending}>Save</Button>
        </div>
      </SubmittedForm>
    </>
  );
}
