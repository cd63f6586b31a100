'use client';

import type { FieldProps } from '@rjsf/utils';
import { useState } from 'react';
import { isExactNumber, isObject, readJsonText, toVisibleText } from '@/lib/core';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import type { FormSchema } from './form-schema';
import { dataForBranch, findBranch } from './union-branch';

type Props = FieldProps<unknown, FormSchema>;

/** A number as it is written; what is no number, or none that can be sent exactly, goes on as text for the check to name. */
export function NumberField({ formData, onChange, fieldPathId, disabled }: Props) {
  const [text, setText] = useState(() => (formData === undefined || formData === null ? '' : typeof formData === 'string' ? formData : JSON.stringify(formData)));
  const write = (next: string) => {
    setText(next);
    const trimmed = next.trim();
    const isNumber = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(trimmed) && isExactNumber(trimmed);
    onChange(trimmed === '' ? undefined : isNumber ? Number(trimmed) : next, fieldPathId.path);
  };
  return <Input mono inputMode="decimal" value={text} disabled={disabled} onChange={(event) => write(event.target.value)} />;
}

/** Any JSON value. What is not JSON is sent as text, which the JSON beside the form shows at once. */
export function JsonField({ formData, onChange, fieldPathId, disabled }: Props) {
  const [text, setText] = useState(() => (formData === undefined ? '' : typeof formData === 'string' && !readJsonText(formData).ok ? formData : JSON.stringify(formData, null, 2)));
  const write = (next: string) => {
    setText(next);
    if (next.trim() === '') return onChange(undefined, fieldPathId.path);
    const read = readJsonText(next);
    return onChange(read.ok ? read.value : next, fieldPathId.path);
  };
  return (
    <Textarea
      mono
      rows={Math.min(12, Math.max(2, text.split('\n').length))}
      value={text}
      disabled={disabled}
      placeholder="JSON; anything else is sent as text"
      onChange={(event) => write(event.target.value)}
    />
  );
}

/** One of several forms: which one is chosen by hand, or found from the value that is there. */
export function UnionField(props: Props) {
  const { schema, formData, onChange, fieldPathId, registry, name, disabled, uiSchema } = props;
  const [branches] = useState<readonly FormSchema[]>(() => (schema.anyOf ?? []).map((branch): FormSchema => (isObject(branch) ? branch : {})));
  const [chosen, setChosen] = useState(() => findBranch(branches, formData, registry.schemaUtils));
  const { SchemaField } = registry.fields;
  const branch = branches[chosen];
  const label = typeof schema.title === 'string' ? schema.title : name;
  const choose = (next: number) => {
    setChosen(next);
    const target = branches[next];
    if (target !== undefined) onChange(dataForBranch(target, schema, formData, registry.schemaUtils), fieldPathId.path);
  };
  return (
    <div className="flex flex-col gap-3 border-l-2 border-line pl-3">
      <Field label={label === '' ? 'Form' : `${toVisibleText(label)}: which form`} hint={typeof schema.description === 'string' ? toVisibleText(schema.description) : undefined}>
        <Select
          value={String(chosen)}
          disabled={disabled}
          options={branches.map((each, index) => ({ value: String(index), label: toVisibleText(each.title ?? `form ${index + 1}`) }))}
          onChange={(event) => choose(Number(event.target.value))}
        />
      </Field>
      {branch === undefined || SchemaField === undefined ? null : (
        <SchemaField key={chosen} {...props} schema={{ ...branch, title: branch.title }} uiSchema={uiSchema ?? {}} />
      )}
    </div>
  );
}
