'use client';

import { useState, useTransition } from 'react';
import type { ActionResult } from '@/lib/core';

type Failure = Extract<ActionResult<unknown>, { ok: false }>;

export interface Submission {
  readonly pending: boolean;
  /** What the last submission answered, when it failed. */
  readonly failure: Failure | null;
  readonly submit: (input: unknown) => void;
  /** What is wrong with a field, for its `Field`. */
  readonly errorOf: (field: string) => string | null;
  readonly reset: () => void;
}

/** Sends a form to an action and keeps what came back. */
export function useSubmission<Data>(action: (input: unknown) => Promise<ActionResult<Data>>, onDone?: (data: Data) => void): Submission {
  const [pending, startTransition] = useTransition();
  const [failure, setFailure] = useState<Failure | null>(null);
  const submit = (input: unknown) => {
    startTransition(async () => {
      const answer = await action(input);
      setFailure(answer.ok ? null : answer);
      if (answer.ok) onDone?.(answer.data);
    });
  };
  return {
    pending,
    failure,
    submit,
    errorOf: (field) => failure?.fields.find((error) => error.field === field)?.message ?? null,
    reset: () => setFailure(null),
  };
}
