import type { ServerEntry } from '..';
import { isSameValue } from '../same-value';

/** The names of the fields in which two entries differ. */
export function changedFieldsOf(before: ServerEntry, after: ServerEntry): readonly string[] {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...was.keys(), ...is.keys()])].filter((field) => !isSameValue(was.get(field), is.get(field)));
}
