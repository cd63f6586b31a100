import type { z } from 'zod';

import { err, ok, type Result } from '@/lib/core';

export interface ArgumentError {
  /** RFC 6901 pointer to the argument; empty for the arguments as a whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Checks arguments whole: every error, each with its JSON pointer, an unknown argument named as one. */
export function checkArguments(schema: z.ZodType, given: unknown): Result<unknown, readonly ArgumentError[]> {
  const parsed = schema.safeParse(given ?? {});
  return parsed.success ? ok(parsed.data) : err(parsed.error.issues.flatMap(toArgumentErrors));
}

function toArgumentErrors(issue: z.core.$ZodIssue): ArgumentError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: toPointer([...issue.path, key]), message: 'is not an argument of this tool' }));
  }
  return [{ pointer: toPointer(issue.path), message: issue.message }];
}

const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** One sentence for all of them: `/path: Invalid input: expected string, received undefined; /colour: …`. */
export const describeArgumentErrors = (errors: readonly ArgumentError[]): string =>
  errors.map(({ pointer, message }) => `${pointer === '' ? 'the arguments' : pointer}: ${message}`).join('; ');
