import type { z } from 'zod';
import type { FieldError } from '@/lib/core';

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with names and values',
  record: 'an object with names and values',
};

/** A fault found by the schema, as a sentence at its field that says what to write instead. */
export function describeIssue(issue: z.core.$ZodIssue): readonly FieldError[] {
  const field = issue.path.map(String).join('.');
  const write = (what: string): readonly FieldError[] => [{ field, message: `${field} cannot be this: write ${what}.` }];
  switch (issue.code) {
    case 'invalid_type':
      return write(EXPECTED[issue.expected] ?? issue.expected);
    case 'invalid_value':
      return write(issue.values.map((value) => `"${String(value)}"`).join(' or '));
    case 'too_small':
      if (issue.origin === 'string') return write('at least one character');
      return write(`a number ${issue.inclusive ? 'from' : 'above'} ${issue.minimum}`);
    case 'too_big':
      return write(issue.origin === 'string' ? `at most ${issue.maximum} characters` : `a number up to ${issue.maximum}`);
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        field: field === '' ? key : `${field}.${key}`,
        message: `"${key}" is no field${field === '' ? ' of a server entry' : ` of ${field}`}. Take it out, or correct its name.`,
      }));
    case 'invalid_union':
      // `auth` is the only field with forms to choose from.
      return write('{"kind": "none"} or {"kind": "bearer", "secret": "NAME"}');
    case 'custom':
      return [{ field, message: issue.message }];
    default:
      return [{ field, message: `${field} cannot be this: ${issue.message}.` }];
  }
}
