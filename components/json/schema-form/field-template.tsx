'use client';

import { ADDITIONAL_PROPERTY_FLAG, type FieldTemplateProps } from '@rjsf/utils';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { toPointer } from '../schema';
import { useSchemaForm } from './form-context';
import type { FieldMarks, FormSchema } from './form-schema';

type Props = FieldTemplateProps<unknown, FormSchema>;

const LEAVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** A field with its label, what is known of it, its errors, and the presses that set null or leave it out. */
export function FieldTemplate(props: Props) {
  const { schema, label, required, formData, fieldPathId, hidden } = props;
  const { misfits } = useSchemaForm();
  if (hidden === true) return null;
  const error = (misfits.get(toPointer(fieldPathId.path)) ?? []).join(' ');
  const isRoot = fieldPathId.path.length === 0;
  const marks: FieldMarks = schema;
  const isLeaf = schema.anyOf === undefined && (LEAVES.has(schema.type) || marks['x-any'] === true);
  const body = formData === null && marks['x-nullable'] === true ? <NullNote /> : props.children;
  if (isRoot) return <Messages error={error}>{body}</Messages>;
  const content = isLeaf && formData !== null ? (
    <Field label={toVisibleText(label)} hint={toHint(schema)} error={error} required={required}>
      {body}
    </Field>
  ) : isLeaf || (formData === null && marks['x-nullable'] === true) ? (
    <Field label={toVisibleText(label)} hint={toHint(schema)} error={error} required={required}>
      {formData === null && marks['x-nullable'] === true ? <NullNote /> : body}
    </Field>
  ) : (
    <Messages error={error}>{body}</Messages>
  );
  return (
    <div className="flex flex-col gap-1">
      <Additional {...props}>{content}</Additional>
      <Presses {...props} isLeaf={isLeaf} />
    </div>
  );
}

const NullNote = () => <p className="font-mono text-xs text-muted">null</p>;

function Presses({ schema, formData, onChange, fieldPathId, label, required, isLeaf }: Props & { readonly isLeaf: boolean }) {
  const marks: FieldMarks = schema;
  const path = fieldPathId.path;
  const isItem = typeof path.at(-1) === 'number';
  const nullable = marks['x-nullable'] === true && formData !== null;
  const clears = formData !== undefined && !isItem && (formData === null || (required !== true && !isLeaf));
  if (!nullable && !clears) return null;
  const name = toVisibleText(label);
  return (
    <div className="flex gap-2">
      {nullable ? (
        <Button size="small" variant="quiet" aria-label={`Set ${name} to null`} onClick={() => onChange(null, path)}>
          set null
        </Button>
      ) : null}
      {clears ? (
        <Button size="small" variant="quiet" aria-label={`Leave ${name} out`} onClick={() => onChange(undefined, path)}>
          leave out
        </Button>
      ) : null}
    </div>
  );
}

/** A field that the schema does not name: its name can be changed, and it can be taken out. */
function Additional({ schema, label, onKeyRenameBlur, onRemoveProperty, disabled, children }: Props & { readonly children: ReactNode }) {
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return children;
  return (
    <div className="flex flex-col gap-2 border-l-2 border-line pl-3">
      <div className="flex items-end gap-2">
        <Field label="Name of the field" className="flex-1">
          <Input mono key={label} defaultValue={label} onBlur={onKeyRenameBlur} disabled={disabled} />
        </Field>
        <Button size="normal" icon={<Trash2 size={14} aria-hidden="true" />} aria-label={`Take ${toVisibleText(label)} out`} onClick={onRemoveProperty}>
          Take out
        </Button>
      </div>
      {children}
    </div>
  );
}

const Messages = ({ error, children }: { readonly error: string; readonly children: ReactNode }) => (
  <>
    {children}
    {error === '' ? null : (
      <p role="alert" className="flex max-w-prose gap-1 text-sm text-bad">
        <span aria-hidden="true">✕</span>
        <span className="break-words">{toVisibleText(error)}</span>
      </p>
    )}
  </>
);

/** What the server says of the field, its rules, and its own default, which stays the server's unless one is written. */
export function toHint(schema: FormSchema): ReactNode {
  const marks: FieldMarks = schema;
  const standing = marks['x-default'];
  const rules = marks['x-rules'] ?? [];
  const said = [typeof schema.description === 'string' ? schema.description : null, rules.length > 0 ? `(${rules.join(', ')})` : null];
  const parts = [
    said.filter((part) => part !== null).join(' '),
    standing === undefined ? null : `Left out, the server takes ${standing.length > 120 ? `${standing.slice(0, 120)}…` : standing}.`,
  ].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? undefined : <span className="break-words whitespace-pre-line">{toVisibleText(parts.join('\n'))}</span>;
}
