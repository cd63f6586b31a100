import { toCanonicalJson, type Json } from '@/lib/core';
import type { ServerEntry } from '..';

/** The names of the fields in which two entries differ. */
export function changedFieldsOf(before: ServerEntry, after: ServerEntry): readonly string[] {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...was.keys(), ...is.keys()])].filter((field) => textOf(was.get(field)) !== textOf(is.get(field)));
}

/** Fields are JSON; the copy drops members that are undefined. */
const textOf = (value: unknown): string => {
  const copy: Json = JSON.parse(JSON.stringify(value ?? null));
  return toCanonicalJson(copy);
};
