'use client';

import { assertNever, formatDuration, toIso } from '@/lib/core';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Popover, useClosePopover } from '../ui/popover';
import type { FilterDefinition, FilterValues } from './definition';
import { fromLocalInput, toLocalInput } from './local-time';

type RangeDefinition = Extract<FilterDefinition, { readonly kind: 'range' | 'duration' }>;

interface RangeFilterProps {
  readonly definition: RangeDefinition;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

/** What a kind of range is made of: its ends, how one is written and read, and what is often wanted of the lower one. */
interface RangeEnds {
  readonly labels: readonly [string, string];
  readonly input: { readonly type: string; readonly min?: number; readonly step: number };
  /** What the field shows of a value of the address. */
  readonly toField: (value: string | undefined) => string;
  /** The value of what stands in the field; undefined while it is empty or half written. */
  readonly fromField: (text: string) => string | undefined;
  readonly presets: readonly { readonly label: string; readonly toValue: () => string }[];
}

const MINUTE_MS = 60_000;

const TIME: RangeEnds = {
  labels: ['From', 'Until'],
  input: { type: 'datetime-local', step: 1 },
  toField: toLocalInput,
  fromField: fromLocalInput,
  presets: [
    ['Last 15 min', 15 * MINUTE_MS] as const,
    ['Last hour', 60 * MINUTE_MS] as const,
    ['Last 24 h', 24 * 60 * MINUTE_MS] as const,
    ['Last 7 days', 7 * 24 * 60 * MINUTE_MS] as const,
  ].map(([label, lengthMs]) => ({ label, toValue: () => toIso(Date.now() - lengthMs) })),
};

const DURATION: RangeEnds = {
  labels: ['At least, in ms', 'At most, in ms'],
  input: { type: 'number', min: 0, step: 1 },
  toField: (value) => value ?? '',
  fromField: (text) => (/^\d{1,12}$/.test(text) ? text : undefined),
  presets: [1000, 10_000, 60_000, 600_000].map((ms) => ({ label: `Over ${formatDuration(ms)}`, toValue: () => String(ms) })),
};

function endsOf({ kind }: RangeDefinition): RangeEnds {
  switch (kind) {
    case 'range':
      return TIME;
    case 'duration':
      return DURATION;
    default:
      return assertNever(kind);
  }
}

/** From one value to another, each under a key of its own. */
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
  const { labels, input, toField, fromField, presets } = endsOf(definition);
  const close = useClosePopover();
  const set = (name: string, text: string) => {
    const value = fromField(text);
    onChange({ ...values, [name]: value === undefined ? [] : [value] });
  };
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {presets.map((preset) => (
          <Button
            key={preset.label}
            size="small"
            onClick={() => {
              onChange({ ...values, [key]: [preset.toValue()], [toKey]: [] });
              close();
            }}
          >
            {preset.label}
          </Button>
        ))}
      </div>
      {([[key, labels[0]], [toKey, labels[1]]] as const).map(([name, word]) => (
        <Field key={name} label={word}>
          <Input {...input} value={toField(values[name]?.[0])} onChange={(event) => set(name, event.target.value)} />
        </Field>
      ))}
      {isSet ? (
        <Button size="small" variant="quiet" onClick={() => onChange({ ...values, [key]: [], [toKey]: [] })}>
          Clear {label.toLowerCase()}
        </Button>
      ) : null}
    </>
  );
}
