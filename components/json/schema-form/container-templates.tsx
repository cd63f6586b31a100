'use client';

import {
  canExpand, type ArrayFieldItemTemplateProps, type ArrayFieldTemplateProps, type CyclicSchemaExpandProps, type ObjectFieldTemplateProps,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { isObject, toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { toHint } from './field-template';
import type { FormSchema } from './form-schema';

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps<unknown, FormSchema>) {
  const { schema, uiSchema, formData, fieldPathId, properties, title, required, disabled, onAddProperty } = props;
  const isRoot = fieldPathId.path.length === 0;
  if (properties.length === 0 && schema.anyOf !== undefined && schema.properties === undefined) return null;
  const shown = new Set(properties.map((property) => property.name));
  const others = schema.anyOf === undefined && isObject(formData) ? Object.keys(formData).filter((name) => !shown.has(name) && formData[name] !== undefined) : [];
  const content = (
    <>
      {properties.map((property) => property.content)}
      {properties.length === 0 && !canExpand(schema, uiSchema, formData) ? <p className="text-sm text-muted">No fields to fill in.</p> : null}
      {others.length === 0 ? null : (
        <p className="text-sm text-muted">Also sent, written in the JSON: {toVisibleText(others.join(', '))}</p>
      )}
      {canExpand(schema, uiSchema, formData) ? (
        <div>
          <Button size="small" icon={<Plus size={14} aria-hidden="true" />} disabled={disabled} onClick={onAddProperty}>
            Add a field{isRoot ? '' : ` to ${toVisibleText(title)}`}
          </Button>
        </div>
      ) : null}
    </>
  );
  if (isRoot) return <div className="flex flex-col gap-4">{content}</div>;
  return (
    <fieldset className="flex flex-col gap-3 border-l-2 border-line pl-3">
      <Legend title={title} required={required} schema={schema} />
      {content}
    </fieldset>
  );
}

export function ArrayFieldTemplate(props: ArrayFieldTemplateProps<unknown, FormSchema>) {
  const { schema, title, required, items, canAdd, disabled, onAddClick } = props;
  return (
    <fieldset className="flex flex-col gap-2 border-l-2 border-line pl-3">
      <Legend title={title} required={required} schema={schema} />
      {items}
      {canAdd === true ? (
        <div>
          <Button size="small" icon={<Plus size={14} aria-hidden="true" />} disabled={disabled} onClick={(event) => onAddClick(event)}>
            Add to {toVisibleText(title)}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

export function ArrayFieldItemTemplate({ children, buttonsProps, index, itemKey }: ArrayFieldItemTemplateProps<unknown, FormSchema>) {
  const number = index + 1;
  return (
    <div key={itemKey} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">{children}</div>
      <div className="flex pt-6">
        {buttonsProps.hasMoveUp === true ? (
          <IconButton label={`Move item ${number} up`} icon={<ArrowUp size={14} aria-hidden="true" />} onClick={buttonsProps.onMoveUpItem} />
        ) : null}
        {buttonsProps.hasMoveDown === true ? (
          <IconButton label={`Move item ${number} down`} icon={<ArrowDown size={14} aria-hidden="true" />} onClick={buttonsProps.onMoveDownItem} />
        ) : null}
        {buttonsProps.hasRemove === true ? (
          <IconButton label={`Take item ${number} out`} icon={<Trash2 size={14} aria-hidden="true" />} onClick={buttonsProps.onRemoveItem} />
        ) : null}
      </div>
    </div>
  );
}

/** Where a schema contains itself the form goes one level at a time. */
export const CyclicSchemaExpandTemplate = ({ name, fieldPathId, onExpand }: CyclicSchemaExpandProps<unknown, FormSchema>) => (
  <div>
    <Button size="small" icon={<Plus size={14} aria-hidden="true" />} onClick={() => onExpand(fieldPathId.$id)}>
      Add {toVisibleText(name)}
    </Button>
  </div>
);

function Legend({ title, required, schema }: { readonly title: string; readonly required: boolean | undefined; readonly schema: FormSchema }) {
  const hint = toHint(schema);
  return (
    <>
      <legend className="float-left w-full font-medium">
        {toVisibleText(title)}
        {required === true ? <span className="font-normal text-muted"> (required)</span> : null}
      </legend>
      {hint === undefined ? null : <p className="max-w-prose text-sm text-muted">{hint}</p>}
    </>
  );
}
