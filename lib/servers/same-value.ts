import { isObject, toCanonicalJson, type Json } from '@/lib/core';

/** Whether two values of fields say the same: the order of names, and members that are undefined, do not count. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  toCanonicalJson(toJson(one)) === toCanonicalJson(toJson(other));

function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (isObject(value)) {
    const stated = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(stated.map(([name, member]) => [name, toJson(member)]));
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
