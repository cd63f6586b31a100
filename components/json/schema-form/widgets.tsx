'use client';

import type { WidgetProps } from '@rjsf/utils';
import { Paperclip } from 'lucide-react';
import { useRef, useState } from 'react';
import { toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { useSchemaForm, type ChooseFile } from './form-context';
import type { FieldMarks, FormSchema } from './form-schema';
import { isPathLike } from './is-path-like';

type Props = WidgetProps<unknown, FormSchema>;

const LONG_NAMES = /^(?:content|contents|text|body|code|script|query|sql|prompt|message|data|json|markdown|html|xml|yaml|instructions|thought)$/i;

/** A text. What is emptied is left out; in a list it stays as an empty text. */
export function TextWidget({ value, onChange, name, schema, disabled, id }: Props) {
  const { chooseFile } = useSchemaForm();
  const marks: FieldMarks = schema;
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const isItem = schema.default === '';
  const write = (next: string) => onChange(next === '' && !isItem ? undefined : next);
  if (text.includes('\r')) {
    return <Textarea mono readOnly rows={3} value={text} title="This text has carriage returns, which a field cannot hold: edit it in the JSON." />;
  }
  if (text.includes('\n') || LONG_NAMES.test(name) || (schema.maxLength ?? 0) > 500) {
    return <Textarea rows={Math.min(12, Math.max(3, text.split('\n').length + 1))} value={text} disabled={disabled} onChange={(event) => write(event.target.value)} />;
  }
  const input = <Input mono={chooseFile !== null && isPathLike(name, marks['x-format'])} value={text} disabled={disabled} onChange={(event) => write(event.target.value)} />;
  if (chooseFile === null || !isPathLike(name, marks['x-format'])) return input;
  return (
    <FileChoice key={id} name={name} chooseFile={chooseFile} onChosen={(path) => onChange(path)}>
      {input}
    </FileChoice>
  );
}

interface FileChoiceProps {
  readonly name: string;
  readonly chooseFile: ChooseFile;
  readonly onChosen: (path: string) => void;
  readonly children: React.ReactNode;
}

/** Puts a file of the person's own machine where the server can open it, and its path into the field. */
function FileChoice({ name, chooseFile, onChosen, children }: FileChoiceProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<{ pending: boolean; message: string | null }>({ pending: false, message: null });
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setState({ pending: true, message: null });
    try {
      onChosen(await chooseFile(file));
      setState({ pending: false, message: null });
    } catch (error) {
      setState({ pending: false, message: error instanceof Error ? error.message : 'The file could not be stored: try again.' });
    }
  };
  return (
    <div className="flex flex-col gap-1">
      <div className="flex gap-2">
        {children}
        <Button pending={state.pending} icon={<Paperclip size={14} aria-hidden="true" />} onClick={() => inputRef.current?.click()} aria-label={`Choose a file for ${toVisibleText(name)}`}>
          Choose file
        </Button>
        <input
          ref={inputRef}
          type="file"
          className="sr-only"
          tabIndex={-1}
          aria-label={`File for ${toVisibleText(name)}`}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {state.message === null ? null : <p role="alert" className="text-sm text-bad">{state.message}</p>}
    </div>
  );
}

const UNSET = 'unset';

/** One of a list of JSON values of any type, or none of them. */
export function SelectWidget({ value, onChange, schema, options, disabled }: Props) {
  const marks: FieldMarks = schema;
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : (options.enumOptions ?? []).map((option): unknown => option.value);
  const labels = marks['x-enum-labels'];
  const position = values.findIndex((candidate) => JSON.stringify(candidate) === JSON.stringify(value));
  const choices = values.map((candidate, index) => ({
    value: String(index),
    label: toVisibleText(labels?.[index] ?? (typeof candidate === 'string' ? candidate : JSON.stringify(candidate))),
  }));
  const foreign = value !== undefined && position < 0 ? [{ value: 'foreign', label: `${toVisibleText(JSON.stringify(value))} (not one of the list)` }] : [];
  return (
    <Select
      value={value === undefined ? UNSET : position < 0 ? 'foreign' : String(position)}
      disabled={disabled}
      options={[{ value: UNSET, label: '(left out)' }, ...choices, ...foreign]}
      onChange={(event) => {
        const chosen = event.target.value;
        if (chosen === 'foreign') return;
        onChange(chosen === UNSET ? undefined : values[Number(chosen)]);
      }}
    />
  );
}

/** Yes, no, or left out: an untouched field is none of the first two. */
export function BooleanWidget({ value, onChange, disabled }: Props) {
  return (
    <Select
      value={value === true ? 'true' : value === false ? 'false' : UNSET}
      disabled={disabled}
      options={[{ value: UNSET, label: '(left out)' }, { value: 'true', label: 'true' }, { value: 'false', label: 'false' }]}
      onChange={(event) => onChange(event.target.value === UNSET ? undefined : event.target.value === 'true')}
    />
  );
}
