'use client';

import { createContext, useContext, useId, type ReactNode } from 'react';
import { toVisibleText } from '@/lib/core';
import { cx } from './cx';

interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

const FieldContext = createContext<Partial<FieldControl>>({});

/** What ties a control to the field around it; empty outside one. */
export const useFieldControl = (): Partial<FieldControl> => useContext(FieldContext);

interface FieldProps {
  readonly label: ReactNode;
  /** What to write, beside the label; stays in view while there is an error. */
  readonly hint?: ReactNode;
  /** What is wrong and what to write instead. */
  readonly error?: string | null;
  readonly required?: boolean;
  readonly className?: string;
  /** One control: `Input`, `Textarea`, `Select`, or anything that spreads `useFieldControl()`. */
  readonly children: ReactNode;
}

/** A labelled control with its hint and its error, tied to it for assistive technology. */
export function Field({ label, hint, error, required = false, className, children }: FieldProps) {
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== '';
  const describedBy = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null].filter(Boolean).join(' ');
  const control: FieldControl = {
    id,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': hasError || undefined,
    'aria-required': required || undefined,
  };
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
        {required ? <span className="font-normal text-muted"> (required)</span> : null}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {hint === undefined ? null : <p id={`${id}-hint`} className="max-w-prose text-sm text-muted">{hint}</p>}
      {hasError ? (
        <p id={`${id}-error`} className="flex max-w-prose gap-1 text-sm text-bad">
          <span aria-hidden="true">✕</span>
          <span className="break-words">{toVisibleText(error)}</span>
        </p>
      ) : null}
    </div>
  );
}
