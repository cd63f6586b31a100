'use client';

import { toVisibleText } from '@/lib/core';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { withoutValue, type FilterDefinition, type FilterValues } from './definition';
import { useFilterChips } from './filter-bar';

interface FilteredEmptyProps {
  /** What the list holds: "calls". */
  readonly what: string;
  readonly definitions: readonly FilterDefinition[];
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

/** A list that its filter leaves empty: which filters hide it, one press to clear each. */
export function FilteredEmpty({ what, definitions, values, onChange }: FilteredEmptyProps) {
  const hiding = useFilterChips(definitions, values).filter((chip) => chip.hides);
  return (
    <EmptyState
      title={`No ${what} match what is set`}
      action={
        <>
          <Button variant="primary" onClick={() => onChange(hiding.reduce((cleared, chip) => withoutValue(cleared, chip.key, chip.value), values))}>
            {hiding.length === 1 ? 'Clear the filter' : 'Clear all filters'}
          </Button>
          {hiding.length > 1
            ? hiding.map((chip) => (
                <Button key={`${chip.key} ${chip.value}`} onClick={() => onChange(withoutValue(values, chip.key, chip.value))}>
                  Without {chip.label} {toVisibleText(chip.text)}
                </Button>
              ))
            : null}
        </>
      }
    >
      <p>
        Hidden by {hiding.map((chip) => `${chip.label} ${toVisibleText(chip.text)}`).join(', ')}.
      </p>
    </EmptyState>
  );
}
