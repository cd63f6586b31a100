'use client';

import type { ReactNode } from 'react';
import { isObject } from '@/lib/core';
import { Checkbox } from '../../ui/checkbox';
import { Field } from '../../ui/field';
import { Input } from '../../ui/input';
import { Select, type SelectOption } from '../../ui/select';
import { textOf, useEntryForm } from './form-context';

interface NamedFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

interface TextFieldProps extends NamedFieldProps {
  readonly mono?: boolean;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly placeholder?: string;
}

export function TextField({ name, label, hint, mono = false, required, readOnly, placeholder }: TextFieldProps) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  return (
    <Field label={label} hint={hint} error={errorOf(name)} required={required}>
      <Input
        mono={mono}
        name={name}
        value={textOf(fields[name])}
        readOnly={readOnly}
        disabled={disabled}
        placeholder={placeholder}
        onChange={(event) => set(name, event.target.value === '' ? undefined : event.target.value)}
      />
    </Field>
  );
}

export function ChoiceField({ name, label, hint, options, fallback }: NamedFieldProps & { readonly options: readonly SelectOption[]; readonly fallback: string }) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  return (
    <Field label={label} hint={hint} error={errorOf(name)}>
      <Select value={textOf(fields[name]) || fallback} options={options} disabled={disabled} onChange={(event) => set(name, event.target.value)} />
    </Field>
  );
}

export function FlagField({ name, label, hint, fallback }: NamedFieldProps & { readonly fallback: boolean }) {
  const { fields, set, disabled } = useEntryForm();
  const value = fields[name];
  return (
    <Checkbox
      label={label}
      hint={hint}
      checked={typeof value === 'boolean' ? value : fallback}
      disabled={disabled}
      onChange={(event) => set(name, event.target.checked)}
    />
  );
}

interface PartFieldProps extends NamedFieldProps {
  /** The field that holds this part. */
  readonly within: string;
  readonly kind: 'text' | 'number';
  readonly placeholder?: string;
}

/** One member of a field that is an object, such as a limit. */
export function PartField({ within, name, label, hint, kind, placeholder }: PartFieldProps) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const whole = isObject(fields[within]) ? fields[within] : {};
  const write = (text: string) => {
    const { [name]: _former, ...others } = whole;
    const number = Number(text);
    const value = text.trim() === '' ? undefined : kind === 'number' && Number.isFinite(number) ? number : text;
    set(within, value === undefined ? others : { ...others, [name]: value });
  };
  return (
    // With its name in a file: remedies and the text beside the form speak of it by that.
    <Field label={label} hint={<><code className="text-xs">{within}.{name}</code>{hint === undefined ? null : <> · {hint}</>}</>} error={errorOf(`${within}.${name}`)}>
      <Input mono inputMode={kind === 'number' ? 'decimal' : undefined} value={textOf(whole[name])} placeholder={placeholder} disabled={disabled} onChange={(event) => write(event.target.value)} />
    </Field>
  );
}
