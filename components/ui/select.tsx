'use client';

import type { ComponentProps } from 'react';
import { controlClasses } from './control-classes';
import { cx } from './cx';
import { useFieldControl } from './field';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'children' | 'multiple'> {
  readonly options: readonly SelectOption[];
}

/** The system's own select: the keyboard, phones and assistive technology know it. */
export function Select({ options, className, ...rest }: SelectProps) {
  const control = useFieldControl();
  return (
    <select {...control} {...rest} className={cx(controlClasses, 'h-8 px-1', className)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
