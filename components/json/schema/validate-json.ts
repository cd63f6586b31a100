import { validate, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { assertNever } from '@/lib/core';
import { isWithin } from './json-size';
import {
  LIST_KEYWORDS, MAP_KEYWORDS, SINGLE_KEYWORDS, type NormalSchema, type SubSchema,
} from './normal-schema';
import { toMisfits, type Misfit } from './misfits';

export type Verdict =
  | { readonly kind: 'fits' }
  | { readonly kind: 'misfits'; readonly misfits: readonly Misfit[] }
  /** A sentence that says why nothing can be said. */
  | { readonly kind: 'not_checked'; readonly reason: string };

const VALUE_BOUNDS = { depth: 200, nodes: 50_000 };
/** Comparing each item with each other is quadratic. */
const UNIQUE_NODES = 5_000;
/** Visits of a schema node: some tens of milliseconds. */
const MOST_STEPS = 60_000;

class StepsSpent extends Error {}

/**
 * Holds a value against a normal schema, within bounds of work: a schema that branches without measure is given up,
 * not followed. `undefined` members count as absent.
 */
export function validateJson(schema: NormalSchema, value: unknown): Verdict {
  if (!isWithin(value, VALUE_BOUNDS)) return { kind: 'not_checked', reason: 'The value is too large to be checked here.' };
  // The library takes boolean members; its types leave them out.
  const bounded = boundSteps(schema, isWithin(value, { depth: 200, nodes: UNIQUE_NODES })) as Schema;
  try {
    const output = validate(withoutAbsent(value), bounded, '2020-12', undefined, false);
    return output.valid ? { kind: 'fits' } : { kind: 'misfits', misfits: readMisfits(output.errors, value, schema) };
  } catch (error) {
    if (error instanceof StepsSpent || error instanceof RangeError) {
      return { kind: 'not_checked', reason: 'The schema branches too often to be checked here.' };
    }
    return { kind: 'not_checked', reason: 'The schema could not be read by the checker.' };
  }
}

function readMisfits(errors: readonly OutputUnit[], value: unknown, schema: NormalSchema): Misfit[] {
  const misfits = toMisfits(errors, value);
  return misfits.length > 0 ? misfits : [{ pointer: '', message: `The value does not fit${schema.title ? ` "${schema.title}"` : ''}.` }];
}

/**
 * A copy for the validator, which writes into what it is given. Reading a node's `type` counts a step: the validator
 * reads it once for each visit and offers no other way to bound its work.
 */
function boundSteps(schema: NormalSchema, checksUnique: boolean): NormalSchema {
  let steps = 0;
  const copy = (node: SubSchema): SubSchema => {
    if (typeof node === 'boolean') return node;
    const bounded: NormalSchema = { ...node };
    // An assertion in older drafts, a remark in 2020-12; strangers' strings against large expressions gain nothing.
    delete bounded.format;
    if (!checksUnique) delete bounded.uniqueItems;
    for (const keyword of SINGLE_KEYWORDS) {
      const member = node[keyword];
      if (member !== undefined) bounded[keyword] = copy(member);
    }
    for (const keyword of LIST_KEYWORDS) {
      const members = node[keyword];
      if (members !== undefined) bounded[keyword] = members.map(copy);
    }
    for (const keyword of [...MAP_KEYWORDS, '$defs'] as const) {
      const members = node[keyword];
      if (members !== undefined) bounded[keyword] = copyMap(members);
    }
    const type = node.type;
    Object.defineProperty(bounded, 'type', {
      enumerable: true,
      get: () => {
        if (++steps > MOST_STEPS) throw new StepsSpent();
        return type;
      },
    });
    return bounded;
  };
  const copyMap = (members: Record<string, SubSchema>): Record<string, SubSchema> =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, copy(member)]));
  const root = copy(schema);
  if (typeof root === 'boolean') throw new Error('a normal schema is an object');
  return root;
}

/** The validator throws on `undefined`; the wire has none. */
function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : withoutAbsent(item)));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, withoutAbsent(member)] as const])),
    );
  }
  return value;
}

/** One sentence for a verdict, for a note beside a result. */
export function describeVerdict(verdict: Verdict): string | null {
  switch (verdict.kind) {
    case 'fits':
      return null;
    case 'misfits':
      return verdict.misfits.map((misfit) => `${misfit.pointer === '' ? 'The whole' : misfit.pointer}: ${misfit.message}`).join(' ');
    case 'not_checked':
      return verdict.reason;
    default:
      return assertNever(verdict);
  }
}
