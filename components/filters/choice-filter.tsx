'use client';

import { useState } from 'react';
import { toVisibleText } from '@/lib/core';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Input } from '../ui/input';
import { Popover } from '../ui/popover';
import { Status } from '../ui/status';
import { toggleValue, type FilterDefinition, type FilterValues } from './definition';

/** From this many options on, a field narrows them. */
const SEARCHED_FROM = 9;
/** More are found by the field. */
const SHOWN_OPTIONS = 200;

interface ChoiceFilterProps {
  readonly definition: Extract<FilterDefinition, { readonly kind: 'choices' }>;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

export function ChoiceFilter({ definition, values, onChange }: ChoiceFilterProps) {
  const { key, label, options, single = false } = definition;
  const [search, setSearch] = useState('');
  const set = values[key] ?? [];
  const wanted = search.trim().toLowerCase();
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted));
  return (
    <Popover label={label} note={set.length === 0 ? null : <span className="font-medium text-accent">{set.length}</span>}>
      {options.length >= SEARCHED_FROM ? (
        <Input aria-label={`Find in ${label.toLowerCase()}`} placeholder="Find" value={search} onChange={(event) => setSearch(event.target.value)} />
      ) : null}
      {options.length === 0 ? <p className="text-sm text-muted">Nothing to choose from yet.</p> : null}
      {options.length > 0 && found.length === 0 ? <p className="text-sm text-muted">None is called so.</p> : null}
      {found.slice(0, SHOWN_OPTIONS).map((option) => (
        <Checkbox
          key={option.value}
          label={
            option.meaning === undefined ? (
              <span className="text-sm [overflow-wrap:anywhere]">{toVisibleText(option.label)}</span>
            ) : (
              <Status meaning={option.meaning} word={option.label} className="text-sm" />
            )
          }
          checked={set.includes(option.value)}
          onChange={() => onChange(toggleValue(values, key, option.value, single))}
        />
      ))}
      {set.length > 0 ? (
        <Button size="small" variant="quiet" onClick={() => onChange({ ...values, [key]: [] })}>
          Clear {label.toLowerCase()}
        </Button>
      ) : null}
    </Popover>
  );
}
