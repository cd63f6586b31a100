import { isObject, type JsonObject } from '@/lib/core';

/** What came over the wire was parsed from JSON, so an object is one all the way down. */
export const isWireObject = (value: unknown): value is JsonObject => isObject(value);

/** Beyond this a value cannot be safely walked, printed or kept; no honest schema comes near. */
export const MAX_DEPTH = 256;

/** Whether objects and lists are nested more than `limit` deep; walks level by level, so depth costs no stack. */
export function isNestedDeeperThan(value: unknown, limit: number): boolean {
  let level = childrenOf(value);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limit) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

function childrenOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((member) => typeof member === 'object' && member !== null);
}
