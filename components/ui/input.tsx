'use client';

import type { ComponentProps } from 'react';
import { controlClasses } from './control-classes';
import { cx } from './cx';
import { useFieldControl } from './field';

interface InputProps extends ComponentProps<'input'> {
  /** Mono for commands, addresses and keys. */
  readonly mono?: boolean;
}

export function Input({ mono = false, className, ...rest }: InputProps) {
  const control = useFieldControl();
  return (
    <input
      autoComplete="off"
      spellCheck={mono ? false : undefined}
      {...control}
      {...rest}
      className={cx(controlClasses, 'h-8 px-2', mono && 'font-mono text-xs', className)}
    />
  );
}
