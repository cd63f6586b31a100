'use client';

import { Eye, EyeOff, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isSecretName, toVisibleText } from '@/lib/core';
import { Button } from '../../ui/button';
import { IconButton } from '../../ui/icon-button';
import { Input } from '../../ui/input';
import { listOf, mapOf, useEntryForm } from './form-context';

interface RowsProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** One of them: "argument". */
  readonly item: string;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** Texts in order, one a row: nothing splits or joins them, so each is what it is. */
export function ListField({ name, label, hint, item }: RowsProps) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const [rows, setRows] = useState<readonly Row[]>(() => listOf(fields[name]).map((value, id) => ({ id, name: '', value })));
  const change = (next: readonly Row[]) => {
    setRows(next);
    set(name, next.map((row) => row.value));
  };
  return (
    <Rows legend={label} hint={hint} error={errorOf(name)} item={item} disabled={disabled} onAdd={() => change([...rows, { id: nextId(rows), name: '', value: '' }])}>
      {rows.map((row, index) => (
        <div key={row.id} className="flex gap-2">
          <Input
            mono
            aria-label={`${item} ${index + 1}`}
            value={row.value}
            disabled={disabled}
            onChange={(event) => change(rows.map((each) => (each.id === row.id ? { ...each, value: event.target.value } : each)))}
          />
          <TakeOut what={`${item} ${index + 1}`} disabled={disabled} onPress={() => change(rows.filter((each) => each.id !== row.id))} />
        </div>
      ))}
    </Rows>
  );
}

/** Names with values; a value whose name is that of a secret is hidden until it is asked for. */
export function MapField({ name, label, hint, item }: RowsProps) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const [rows, setRows] = useState<readonly Row[]>(() => mapOf(fields[name]).map(([key, value], id) => ({ id, name: key, value })));
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const change = (next: readonly Row[]) => {
    setRows(next);
    set(name, Object.fromEntries(next.filter((row) => row.name !== '').map((row) => [row.name, row.value])));
  };
  const edit = (id: number, part: Partial<Row>) => change(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const doubled = rows.find((row, index) => row.name !== '' && rows.findIndex((each) => each.name === row.name) < index);
  const errors = [errorOf(name), doubled === undefined ? '' : `"${toVisibleText(doubled.name)}" stands here twice: the last one counts.`];
  return (
    <Rows legend={label} hint={hint} error={errors.filter(Boolean).join(' ')} item={item} disabled={disabled} onAdd={() => change([...rows, { id: nextId(rows), name: '', value: '' }])}>
      {rows.map((row, index) => {
        const secret = isSecretName(row.name) && !row.value.startsWith('${');
        return (
          <div key={row.id} className="flex gap-2">
            <Input mono aria-label={`Name of ${item} ${index + 1}`} className="max-w-56" value={row.name} disabled={disabled} onChange={(event) => edit(row.id, { name: event.target.value })} />
            <Input
              mono
              aria-label={`Value of ${row.name === '' ? `${item} ${index + 1}` : toVisibleText(row.name)}`}
              type={secret && !shown.has(row.id) ? 'password' : 'text'}
              autoComplete="off"
              value={row.value}
              disabled={disabled}
              onChange={(event) => edit(row.id, { value: event.target.value })}
            />
            {secret ? (
              <IconButton
                label={shown.has(row.id) ? `Hide ${row.name}` : `Show ${row.name}`}
                icon={shown.has(row.id) ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
                onClick={() => setShown(toggled(shown, row.id))}
              />
            ) : null}
            <TakeOut what={row.name === '' ? `${item} ${index + 1}` : toVisibleText(row.name)} disabled={disabled} onPress={() => change(rows.filter((each) => each.id !== row.id))} />
          </div>
        );
      })}
    </Rows>
  );
}

interface RowsFrameProps {
  readonly legend: string;
  readonly hint?: string;
  readonly error: string;
  readonly item: string;
  readonly disabled: boolean;
  readonly onAdd: () => void;
  readonly children: React.ReactNode;
}

const Rows = ({ legend, hint, error, item, disabled, onAdd, children }: RowsFrameProps) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="float-left mb-1 w-full font-medium">{legend}</legend>
    {children}
    <div>
      <Button size="small" icon={<Plus size={14} aria-hidden="true" />} disabled={disabled} onClick={onAdd}>
        Add {/^[aeiou]/.test(item) ? 'an' : 'a'} {item}
      </Button>
    </div>
    {hint === undefined ? null : <p className="max-w-prose text-sm text-muted">{hint}</p>}
    {error === '' ? null : (
      <p role="alert" className="flex max-w-prose gap-1 text-sm text-bad">
        <span aria-hidden="true">✕</span>
        <span className="break-words">{toVisibleText(error)}</span>
      </p>
    )}
  </fieldset>
);

const TakeOut = ({ what, disabled, onPress }: { readonly what: string; readonly disabled: boolean; readonly onPress: () => void }) => (
  <IconButton label={`Take ${what} out`} icon={<Trash2 size={14} aria-hidden="true" />} disabled={disabled} onClick={onPress} />
);

const nextId = (rows: readonly Row[]): number => rows.reduce((most, row) => Math.max(most, row.id), -1) + 1;

function toggled(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
