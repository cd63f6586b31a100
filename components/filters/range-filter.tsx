'use client';

import { toIso } from '@/lib/core';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Popover, useClosePopover } from '../ui/popover';
import type { FilterDefinition, FilterValues } from './definition';
import { fromLocalInput, toLocalInput } from './local-time';

const MINUTE_MS = 60_000;
const PRESETS = [
  { label: 'Last 15 min', lengthMs: 15 * MINUTE_MS },
  { label: 'Last hour', lengthMs: 60 * MINUTE_MS },
  { label: 'Last 24 h', lengthMs: 24 * 60 * MINUTE_MS },
  { label: 'Last 7 days', lengthMs: 7 * 24 * 60 * MINUTE_MS },
] as const;

interface RangeFilterProps {
  readonly definition: Extract<FilterDefinition, { readonly kind: 'range' }>;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

export function RangeFilter(props: RangeFilterProps) {
  const { definition, values } = props;
  const isSet = [definition.key, definition.toKey].some((key) => values[key]?.[0] !== undefined);
  return (
    <Popover label={definition.label} note={isSet ? <span className="font-medium text-accent">set</span> : null}>
      <RangeChoices {...props} isSet={isSet} />
    </Popover>
  );
}

function RangeChoices({ definition, values, onChange, isSet }: RangeFilterProps & { readonly isSet: boolean }) {
  const { key, toKey, label } = definition;
  const close = useClosePopover();
  const set = (name: string, local: string) => {
    const iso = fromLocalInput(local);
    onChange({ ...values, [name]: iso === undefined ? [] : [iso] });
  };
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {PRESETS.map((preset) => (
          <Button
            key={preset.label}
            size="small"
            onClick={() => {
              onChange({ ...values, [key]: [toIso(Date.now() - preset.lengthMs)], [toKey]: [] });
              close();
            }}
          >
            {preset.label}
          </Button>
        ))}
      </div>
      <Field label="From">
        <Input type="datetime-local" step={1} value={toLocalInput(values[key]?.[0])} onChange={(event) => set(key, event.target.value)} />
      </Field>
      <Field label="Until">
        <Input type="datetime-local" step={1} value={toLocalInput(values[toKey]?.[0])} onChange={(event) => set(toKey, event.target.value)} />
      </Field>
      {isSet ? (
        <Button size="small" variant="quiet" onClick={() => onChange({ ...values, [key]: [], [toKey]: [] })}>
          Clear {label.toLowerCase()}
        </Button>
      ) : null}
    </>
  );
}
