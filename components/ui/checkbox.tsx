'use client';

import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from './cx';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

export function Checkbox({ label, hint, id, className, ...rest }: CheckboxProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  return (
    // 24 px apart at least, so that a finger meets one (WCAG 2.2, 2.5.8).
    <div className={cx('flex min-h-6 items-start gap-2', className)}>
      <input
        aria-describedby={hint === undefined ? undefined : `${controlId}-hint`}
        {...rest}
        id={controlId}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={controlId}>{label}</label>
        {hint === undefined ? null : <p id={`${controlId}-hint`} className="max-w-prose text-sm text-muted">{hint}</p>}
      </div>
    </div>
  );
}
