'use client';

import { parseAsNativeArrayOf, parseAsString, useQueryStates } from 'nuqs';
import { useCallback, useMemo } from 'react';
import { listFilterKeys, type FilterDefinition, type FilterValues } from './definition';

interface FilterValuesOptions {
  /** Whether the server renders the page anew on a change; false where the browser narrows the list itself. */
  readonly askServer?: boolean;
}

/** What is filtered by, kept in the address: a key that has several values repeats there. */
export function useFilterValues(
  definitions: readonly FilterDefinition[],
  { askServer = false }: FilterValuesOptions = {},
): readonly [FilterValues, (values: FilterValues) => void] {
  const names = listFilterKeys(definitions).join(' ');
  const parsers = useMemo(
    () => Object.fromEntries(names.split(' ').filter(Boolean).map((name) => [name, parseAsNativeArrayOf(parseAsString)])),
    [names],
  );
  const [values, setValues] = useQueryStates(parsers, { shallow: !askServer, history: 'replace' });
  const change = useCallback(
    (next: FilterValues) => {
      const states: Record<string, string[] | null> = {};
      for (const name of Object.keys(parsers)) {
        const set = (next[name] ?? []).filter((value) => value !== '');
        states[name] = set.length === 0 ? null : set;
      }
      void setValues(states);
    },
    [parsers, setValues],
  );
  return [values, change];
}
