export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One text for one value whatever the order of its keys, for hashes and comparisons. */
export function toCanonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => toCanonicalJson(item)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${toCanonicalJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Whether objects and lists are nested more than `limit` deep; walks level by level, so depth costs no stack. */
export function isNestedDeeperThan(value: unknown, limit: number): boolean {
  let level = listNested(value);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limit) return true;
    const next: unknown[] = [];
    for (const member of level) for (const nested of listNested(member)) next.push(nested);
    level = next;
  }
  return false;
}

function listNested(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((member) => typeof member === 'object' && member !== null);
}
