import type { Json } from '@/lib/core';

/** The form's value as it is sent: what is undefined is left out of objects, and null in lists, whose items have a place. */
export function settleValue(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((item: unknown) => settleValue(item) ?? null);
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const settled = settleValue(member);
        return settled === undefined ? [] : [[name, settled] as const];
      }),
    );
  }
  return undefined;
}
