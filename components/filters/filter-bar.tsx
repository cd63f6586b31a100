'use client';

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { assertNever, toVisibleText } from '@/lib/core';
import { Button } from '../ui/button';
import { cx } from '../ui/cx';
import { formatDateTime, formatUtc } from '../ui/format-time';
import { useNow } from '../ui/use-now';
import { ChoiceFilter } from './choice-filter';
import { toChips, withoutValue, type FilterChip, type FilterDefinition, type FilterValues } from './definition';
import { RangeFilter } from './range-filter';
import { TextFilter } from './text-filter';

interface FilterBarProps {
  /** Names the bar: "Filter the ledger". */
  readonly label: string;
  readonly definitions: readonly FilterDefinition[];
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
  /** At the right end: a sort, a count. */
  readonly trailing?: ReactNode;
}

/** The one bar by which lists are narrowed: what can be set, and what is set as chips to clear. */
export function FilterBar({ label, definitions, values, onChange, trailing }: FilterBarProps) {
  const chips = useFilterChips(definitions, values);
  return (
    <div role="search" aria-label={label} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {definitions.map((definition) => (
          <FilterControl key={definition.key} definition={definition} values={values} onChange={onChange} />
        ))}
        {trailing === undefined ? null : <div className="ml-auto flex items-center gap-2">{trailing}</div>}
      </div>
      {chips.length === 0 ? null : (
        <ul aria-label="Set filters" className="flex flex-wrap items-center gap-1">
          {chips.map((chip) => (
            <li key={`${chip.key} ${chip.value}`}>
              <button
                type="button"
                aria-label={`Clear ${chip.label} ${toVisibleText(chip.text)}`}
                onClick={() => onChange(withoutValue(values, chip.key, chip.value))}
                className="inline-flex min-h-6 max-w-72 items-center gap-1 rounded-sm bg-selected px-2 text-xs hover:bg-hover"
              >
                <span className="text-muted">{chip.label}</span>
                <span className="truncate">{toVisibleText(chip.text)}</span>
                <X size={12} aria-hidden="true" className="shrink-0 text-faint" />
              </button>
            </li>
          ))}
          {chips.length > 1 ? (
            <li>
              <Button size="small" variant="quiet" onClick={() => onChange(clearAll(chips, values))}>
                Clear all
              </Button>
            </li>
          ) : null}
        </ul>
      )}
    </div>
  );
}

/** The chips of what is set, with times in the reader's zone. */
export function useFilterChips(definitions: readonly FilterDefinition[], values: FilterValues): readonly FilterChip[] {
  // In UTC until the browser has told its zone.
  const formatTime = useNow() === null ? formatUtc : formatDateTime;
  return toChips(definitions, values, (iso) => (Number.isNaN(Date.parse(iso)) ? iso : formatTime(Date.parse(iso))));
}

const clearAll = (chips: readonly FilterChip[], values: FilterValues): FilterValues =>
  chips.reduce((cleared, chip) => withoutValue(cleared, chip.key, chip.value), values);

interface FilterControlProps {
  readonly definition: FilterDefinition;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

function FilterControl({ definition, values, onChange }: FilterControlProps) {
  const { key, label } = definition;
  const set = values[key] ?? [];
  switch (definition.kind) {
    case 'choices':
      // With nothing to choose from there is nothing to open, unless it is to be cleared.
      return definition.chipOnly === true || (definition.options.length === 0 && set.length === 0) ? null : <ChoiceFilter definition={definition} values={values} onChange={onChange} />;
    case 'range':
    case 'duration':
      return <RangeFilter definition={definition} values={values} onChange={onChange} />;
    case 'toggle':
      return (
        <label className={cx('flex h-8 items-center gap-2 rounded-sm border px-2 text-sm', set.length > 0 ? 'border-accent' : 'border-line-strong')}>
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={set.length > 0}
            onChange={(event) => onChange({ ...values, [key]: event.target.checked ? ['1'] : [] })}
          />
          {label}
        </label>
      );
    case 'text':
      return <TextFilter definition={definition} values={values} onChange={onChange} />;
    default:
      return assertNever(definition);
  }
}
