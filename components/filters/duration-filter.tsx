'use client';

import { formatDuration } from '@/lib/core';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Popover, useClosePopover } from '../ui/popover';
import type { FilterDefinition, FilterValues } from './definition';

const PRESETS_MS = [1000, 10_000, 60_000, 600_000] as const;

interface DurationFilterProps {
  readonly definition: Extract<FilterDefinition, { readonly kind: 'duration' }>;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

export function DurationFilter(props: DurationFilterProps) {
  const { definition, values } = props;
  const isSet = [definition.key, definition.toKey].some((key) => values[key]?.[0] !== undefined);
  return (
    <Popover label={definition.label} note={isSet ? <span className="font-medium text-accent">set</span> : null}>
      <DurationChoices {...props} isSet={isSet} />
    </Popover>
  );
}

function DurationChoices({ definition, values, onChange, isSet }: DurationFilterProps & { readonly isSet: boolean }) {
  const { key, toKey, label } = definition;
  const close = useClosePopover();
  const set = (name: string, text: string) => onChange({ ...values, [name]: /^\d{1,12}$/.test(text) ? [text] : [] });
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {PRESETS_MS.map((ms) => (
          <Button
            key={ms}
            size="small"
            onClick={() => {
              onChange({ ...values, [key]: [String(ms)], [toKey]: [] });
              close();
            }}
          >
            Over {formatDuration(ms).replace('.0', '').replace(' 0 s', '')}
          </Button>
        ))}
      </div>
      <Field label="At least, in ms">
        <Input type="number" min={0} step={1} value={values[key]?.[0] ?? ''} onChange={(event) => set(key, event.target.value)} />
      </Field>
      <Field label="At most, in ms">
        <Input type="number" min={0} step={1} value={values[toKey]?.[0] ?? ''} onChange={(event) => set(toKey, event.target.value)} />
      </Field>
      {isSet ? (
        <Button size="small" variant="quiet" onClick={() => onChange({ ...values, [key]: [], [toKey]: [] })}>
          Clear {label.toLowerCase()}
        </Button>
      ) : null}
    </>
  );
}
