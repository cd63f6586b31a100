import { isObject } from '@/lib/core';

/** The members of a failure's evidence whose names have several words, in the spelling of the command line. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['exitCode', 'exit_code'], ['httpStatus', 'http_status'], ['closeCode', 'close_code'], ['closeReason', 'close_reason'],
  ['contentType', 'content_type'], ['validFrom', 'valid_from'], ['validTo', 'valid_to'],
]);

/** The details of an error; the evidence of a failed connection in them is spelled as in `test --json`. */
export function toDetailsJson(details: unknown): unknown {
  if (!isObject(details) || !isObject(details.evidence)) return details;
  return { ...details, evidence: respell(details.evidence) };
}

const respell = (evidence: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(evidence).map(([name, member]) => [
    SPELLINGS.get(name) ?? name,
    name === 'certificate' && isObject(member) ? respell(member) : member,
  ]));
