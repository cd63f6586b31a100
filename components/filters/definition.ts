import { formatDuration } from '@/lib/core';
import type { Meaning } from '../ui/meaning';

interface FilterOption {
  readonly value: string;
  readonly label: string;
  readonly meaning?: Meaning;
}

/** One thing that a list can be narrowed by. Keys are the names in the address. */
export type FilterDefinition =
  /** Any of several values; with `single`, one at most. `chipOnly` is set by links and can only be cleared here. */
  | { readonly kind: 'choices'; readonly key: string; readonly label: string; readonly single?: boolean; readonly chipOnly?: boolean; readonly options: readonly FilterOption[] }
  /** From and to in ISO 8601 under two keys. */
  | { readonly kind: 'range'; readonly key: string; readonly toKey: string; readonly label: string }
  /** At least and at most, in whole milliseconds under two keys. */
  | { readonly kind: 'duration'; readonly key: string; readonly toKey: string; readonly label: string }
  /** Off by default; `1` in the address when on. `adds` is for one that shows more rather than less. */
  | { readonly kind: 'toggle'; readonly key: string; readonly label: string; readonly adds?: boolean }
  /** Words that must appear. What the server searches for (`searched`) is set after a pause in typing. */
  | { readonly kind: 'text'; readonly key: string; readonly label: string; readonly searched?: boolean };

/** What is set, by key of the address; a key without values is not set. */
export type FilterValues = Readonly<Record<string, readonly string[]>>;

/** A set value as a chip shows it. */
export interface FilterChip {
  readonly key: string;
  readonly value: string;
  /** What is filtered by: "server". */
  readonly label: string;
  /** The value in words: "files". */
  readonly text: string;
  /** Whether the chip narrows what is shown. */
  readonly hides: boolean;
}

/** Every key of the address that the definitions use. */
export const listFilterKeys = (definitions: readonly FilterDefinition[]): readonly string[] =>
  definitions.flatMap((definition) => ('toKey' in definition ? [definition.key, definition.toKey] : [definition.key]));

/** The chips of what is set, in the order of the definitions. */
export function toChips(definitions: readonly FilterDefinition[], values: FilterValues, formatTime: (iso: string) => string): readonly FilterChip[] {
  return definitions.flatMap((definition): readonly FilterChip[] => {
    const { key } = definition;
    const label = definition.label.toLowerCase();
    const set = values[key] ?? [];
    switch (definition.kind) {
      case 'choices':
        return set.map((value) => ({
          key, value, label, text: definition.options.find((option) => option.value === value)?.label ?? value, hides: true,
        }));
      case 'range':
        return [
          ...set.map((value) => ({ key, value, label: 'from', text: formatTime(value), hides: true })),
          ...(values[definition.toKey] ?? []).map((value) => ({ key: definition.toKey, value, label: 'until', text: formatTime(value), hides: true })),
        ];
      case 'duration':
        return [
          ...set.map((value) => ({ key, value, label: 'at least', text: toDurationText(value), hides: true })),
          ...(values[definition.toKey] ?? []).map((value) => ({ key: definition.toKey, value, label: 'at most', text: toDurationText(value), hides: true })),
        ];
      case 'toggle':
        return set.map((value) => ({ key, value, label: 'shown', text: label, hides: definition.adds !== true }));
      case 'text':
        return set.map((value) => ({ key, value, label, text: value, hides: true }));
    }
  });
}

const toDurationText = (ms: string): string => (/^\d{1,12}$/.test(ms) ? formatDuration(Number(ms)) : ms);

/** The values without one of them. */
export const withoutValue = (values: FilterValues, key: string, value: string): FilterValues => ({
  ...values,
  [key]: (values[key] ?? []).filter((each) => each !== value),
});

/** The values with one of them set or taken out; with `single`, in place of the others. */
export function toggleValue(values: FilterValues, key: string, value: string, single: boolean): FilterValues {
  const set = values[key] ?? [];
  if (set.includes(value)) return withoutValue(values, key, value);
  return { ...values, [key]: single ? [value] : [...set, value] };
}
