import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { isObject, type JsonObject } from '@/lib/core';
import { UsageError } from './exit-codes';

/** The arguments of a call as somebody wrote them; a fault names its line and column. */
export function parseArguments(text: string, flag: string): JsonObject {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true, allowEmptyContent: false });
  const [first] = errors;
  if (first !== undefined) {
    const before = text.slice(0, first.offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new UsageError(`${flag} is no JSON: line ${before.length}, column ${column}: ${printParseErrorCode(first.error)}.`);
  }
  if (!isObject(value)) throw new UsageError(`${flag} must be a JSON object, such as {"path": "sample.bin"}.`);
  return toJsonObject(value);
}

/** A parsed document is JSON already; this says so to the type system by reading it again. */
const toJsonObject = (value: Readonly<Record<string, unknown>>): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
