import type { JsonType, NormalSchema, SubSchema } from '../schema';

export function withoutKeywords(node: NormalSchema, keywords: readonly (keyof NormalSchema)[]): NormalSchema {
  const rest = { ...node };
  for (const keyword of keywords) delete rest[keyword];
  return rest;
}

/** One node of several that apply to the same value. What cannot be joined is noted, and stays with the check. */
export function mergeAll(parts: readonly NormalSchema[], note: (sentence: string) => void): NormalSchema {
  return parts.reduce((whole, part) => merge(whole, part, note));
}

function merge(a: NormalSchema, b: NormalSchema, note: (sentence: string) => void): NormalSchema {
  if ((a.anyOf ?? a.oneOf) !== undefined && (b.anyOf ?? b.oneOf) !== undefined) {
    note('One of two unions is shown only in the raw JSON.');
  }
  const merged: NormalSchema = { ...b, ...a };
  const properties = mergeProperties(a.properties, b.properties);
  if (properties !== undefined) merged.properties = properties;
  if (a.required !== undefined || b.required !== undefined) {
    merged.required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  }
  if (a.type !== undefined && b.type !== undefined) merged.type = intersectTypes(a.type, b.type);
  if (a.enum !== undefined && b.enum !== undefined) {
    const other = new Set(b.enum.map((value) => JSON.stringify(value)));
    merged.enum = a.enum.filter((value) => other.has(JSON.stringify(value)));
  }
  return merged;
}

function mergeProperties(a?: Record<string, SubSchema>, b?: Record<string, SubSchema>): Record<string, SubSchema> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    names.map((name) => {
      const members = [a[name], b[name]].filter((member) => member !== undefined && member !== true);
      const [first, second] = members;
      return [name, first === undefined ? true : second === undefined ? first : { allOf: [first, second] }] as const;
    }),
  );
}

function intersectTypes(a: readonly JsonType[], b: readonly JsonType[]): JsonType[] {
  const common = a.filter((type) => b.includes(type) || (type === 'integer' && b.includes('number')));
  if (a.includes('number') && b.includes('integer')) common.push('integer');
  return common;
}

/** The types a value may have, as stated or as the other keywords show, null apart. */
export function inferTypes(node: NormalSchema): { types: JsonType[]; nullable: boolean } {
  if (node.type !== undefined) {
    const types = node.type.filter((type) => type !== 'null');
    // A number may be an integer: one field takes both.
    const wide = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
    return wide.length === 0 ? { types: ['null'], nullable: false } : { types: wide, nullable: wide.length < node.type.length && node.type.includes('null') };
  }
  if (node.properties !== undefined || node.required !== undefined || node.additionalProperties !== undefined) {
    return { types: ['object'], nullable: false };
  }
  if (node.items !== undefined || node.prefixItems !== undefined) return { types: ['array'], nullable: false };
  return { types: [], nullable: false };
}

export const isNullOnly = (node: SubSchema): boolean =>
  typeof node !== 'boolean' &&
  ((node.type?.length === 1 && node.type[0] === 'null') || (node.enum?.length === 1 && node.enum[0] === null));
