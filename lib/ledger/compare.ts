import { isObject, type Json } from '@/lib/core';

/** A place in two values: what stands there in each, as JSON; null where nothing does. */
export interface ComparedLeaf {
  /** JSON pointer; empty for the whole. */
  readonly path: string;
  readonly a: string | null;
  readonly b: string | null;
  readonly differs: boolean;
}

export interface Comparison {
  /** In the order of the first value, what only the second has after it. */
  readonly leaves: readonly ComparedLeaf[];
  /** How many of them differ, those that were left out included. */
  readonly differing: number;
  readonly leftOut: number;
}

const MAX_LEAVES = 300;
/** Values may be large: beyond this they are compared, not shown. */
const MAX_SHOWN_CHARACTERS = 2000;

/** Two values leaf by leaf. Of more than can be shown, those that differ are kept. */
export function compareJson(a: Json, b: Json): Comparison {
  const [leavesA, leavesB] = [toLeaves(a), toLeaves(b)];
  const paths = [...new Set([...leavesA.keys(), ...leavesB.keys()])];
  const all = paths.map((path): ComparedLeaf => {
    const [one, other] = [leavesA.get(path) ?? null, leavesB.get(path) ?? null];
    return { path, a: shorten(one), b: shorten(other), differs: one !== other };
  });
  const differing = all.filter((leaf) => leaf.differs);
  const leaves = all.length <= MAX_LEAVES ? all : differing.slice(0, MAX_LEAVES);
  return { leaves, differing: differing.length, leftOut: all.length - leaves.length };
}

/** The values at the ends of the branches; an empty list or object is one. */
function toLeaves(value: Json, path = '', leaves = new Map<string, string>()): ReadonlyMap<string, string> {
  const members = isList(value) ? value.map((item, index) => [String(index), item] as const) : isObject(value) ? Object.entries(value as Readonly<Record<string, Json>>) : []; // an object of Json has Json members
  if (members.length === 0) leaves.set(path, JSON.stringify(value));
  for (const [name, member] of members) toLeaves(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, leaves);
  return leaves;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const shorten = (text: string | null): string | null =>
  text === null || text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)} … (${text.length} characters in all)`;
