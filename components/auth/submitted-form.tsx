'use client';

import type { ReactNode } from 'react';
import { FailureNotice } from '../ui/failure-notice';
import type { Submission } from './use-submission';

interface SubmittedFormProps {
  readonly label: string;
  readonly submission: Submission;
  /** The names of the controls whose values are sent. */
  readonly fields: readonly string[];
  /** Sent along unseen. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form that sends its fields as one object; a failure that belongs to no field stands above them. */
export function SubmittedForm({ label, submission, fields, extra, className, children }: SubmittedFormProps) {
  const { failure } = submission;
  const isOfFields = failure !== null && failure.fields.some((error) => fields.includes(error.field));
  return (
    <form
      aria-label={label}
      // Pressed before the page listens, the browser sends the form itself: never with its fields in the address.
      method="post"
      noValidate
      className={className ?? 'flex flex-col gap-4'}
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        submission.submit({ ...extra, ...Object.fromEntries(fields.map((field) => [field, values.get(field) ?? ''])) });
      }}
    >
      {failure === null || isOfFields ? null : <FailureNotice failure={failure} />}
      {children}
    </form>
  );
}
