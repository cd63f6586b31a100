'use client';

import type { ComponentProps } from 'react';
import { controlClasses } from './control-classes';
import { cx } from './cx';
import { useFieldControl } from './field';

interface TextareaProps extends ComponentProps<'textarea'> {
  /** Mono for JSON and pasted configuration. */
  readonly mono?: boolean;
}

export function Textarea({ mono = false, className, rows = 4, ...rest }: TextareaProps) {
  const control = useFieldControl();
  return (
    <textarea
      rows={rows}
      spellCheck={mono ? false : undefined}
      {...control}
      {...rest}
      className={cx(controlClasses, 'px-2 py-1', mono && 'font-mono text-xs', className)}
    />
  );
}
