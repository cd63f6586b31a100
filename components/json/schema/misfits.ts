import type { OutputUnit } from '@cfworker/json-schema';
import { findAtPointer } from './json-pointer';

/** Where a value does not fit its schema, and how, in a sentence. */
export interface Misfit {
  /** `/items/0/name`; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Keywords whose error only says that a part had one. */
const WRAPPERS: ReadonlySet<string> = new Set([
  '$ref', 'properties', 'patternProperties', 'items', 'prefixItems', 'allOf', 'then', 'else', 'if', 'dependentSchemas',
  'additionalItems', 'unevaluatedItems',
]);
const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);
const MOST_MISFITS = 30;

/** The validator's errors as sentences at the place that a person can mend, each once. */
export function toMisfits(errors: readonly OutputUnit[], value: unknown): Misfit[] {
  const telling = errors.filter((error) => !isCovered(error, errors));
  const misfits = telling.map((error) => toMisfit(error, value));
  const seen = new Set<string>();
  return misfits
    .filter(({ pointer, message }) => {
      const mark = `${pointer}\n${message}`;
      return !seen.has(mark) && seen.add(mark);
    })
    .slice(0, MOST_MISFITS);
}

/** Whether another error says it better: a part's for its whole, a deeper one for a branch that is of another type. */
function isCovered(error: OutputUnit, all: readonly OutputUnit[]): boolean {
  if (WRAPPERS.has(error.keyword)) return true;
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    return all.some((other) => other !== error && other.keywordLocation.startsWith(`${error.keywordLocation}/`) && other.keyword !== 'false');
  }
  if (UNIONS.has(error.keyword)) return all.some((other) => isWithinUnion(other, error) && isTelling(other));
  if (error.keyword === 'false') return all.some((other) => /additionalProperties|unevaluatedProperties/.test(other.keyword));
  if (isTelling(error)) return false;
  return all.some((union) => UNIONS.has(union.keyword) && isWithinUnion(error, union));
}

const isTelling = (error: OutputUnit): boolean =>
  !WRAPPERS.has(error.keyword) && !UNIONS.has(error.keyword) && error.keyword !== 'type' && error.keyword !== 'enum' && error.keyword !== 'false';

const isWithinUnion = (error: OutputUnit, union: OutputUnit): boolean =>
  error !== union && error.keywordLocation.startsWith(`${union.keywordLocation}/`) && error.instanceLocation.startsWith(union.instanceLocation);

function toMisfit(error: OutputUnit, value: unknown): Misfit {
  const pointer = decodeURI(error.instanceLocation.replace(/^#/, ''));
  const named = /property "(.*)"\.$/.exec(error.error)?.[1];
  switch (error.keyword) {
    case 'required':
      return named === undefined
        ? { pointer, message: error.error }
        : { pointer: `${pointer}/${named.replace(/~/g, '~0').replace(/\//g, '~1')}`, message: 'This is required: fill it in.' };
    case 'type':
      return { pointer, message: toTypeMessage(error.error, findAtPointer(value, pointer)) };
    case 'enum':
      return { pointer, message: error.error.replace(/^Instance does not match any of \[?(.*?)\]?\.$/s, 'Choose one of $1.') };
    case 'anyOf':
      return { pointer, message: 'The value fits none of the forms that are offered.' };
    case 'oneOf':
      return { pointer, message: 'The value must fit exactly one of the forms that are offered.' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { pointer, message: `"${/"(.*)"/.exec(error.error)?.[1] ?? ''}" is not a field here: take it out.` };
    case 'false':
      return { pointer, message: 'Nothing may stand here.' };
    case 'pattern':
      return { pointer, message: 'The text does not have the form that its pattern asks for.' };
    default:
      return { pointer, message: error.error.replace(/^Instance\b/, 'The value') };
  }
}

function toTypeMessage(error: string, value: unknown): string {
  const wanted = (/Expected (.*)\.$/.exec(error)?.[1] ?? '').replace(/"/g, '').replace(/, /g, ' or ');
  if (value === null || value === undefined) return `Fill this in: ${withArticle(wanted)} is wanted.`;
  if (typeof value === 'string' && /number|integer/.test(wanted)) {
    return /^-?\d+(\.\d+)?$/.test(value.trim()) && !Number.isSafeInteger(Number(value))
      ? `${value} is too large to be sent exactly as a number.`
      : `"${value}" is not ${withArticle(wanted)}.`;
  }
  return `${withArticle(wanted).replace(/^./, (letter) => letter.toUpperCase())} is wanted here.`;
}

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
