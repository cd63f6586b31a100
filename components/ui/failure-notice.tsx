import type { ReactNode } from 'react';
import type { ActionResult } from '@/lib/core';
import { Callout } from './callout';

interface FailureNoticeProps {
  readonly failure: Extract<ActionResult<unknown>, { readonly ok: false }>;
  readonly action?: ReactNode;
}

/** What an action answered when it failed, with the reference that finds it in the log. */
export const FailureNotice = ({ failure, action }: FailureNoticeProps) => (
  <div role="alert">
    <Callout
      meaning="bad"
      message={failure.message}
      remedy={failure.remedy}
      note={failure.code === 'internal' ? `Reference ${failure.ref}.` : undefined}
      action={action}
    />
  </div>
);
