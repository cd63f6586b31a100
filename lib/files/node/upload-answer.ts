import { isObject } from '@/lib/core';
import type { PlumbingAnswer } from './plumbing';

/** How a sequence of upload calls ended. `again`: what was begun came to nothing, so that beginning anew is harmless. */
export type SequenceEnd =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly outcome: 'failed' | 'unknown'; readonly words: string; readonly again: boolean };

/** The member of an answer, or why the upload ends. */
export function readMember<T>(
  tool: string,
  answer: PlumbingAnswer,
  name: string,
  parse: (member: unknown) => T | undefined,
): { readonly ok: true; readonly member: T } | Extract<SequenceEnd, { ok: false }> {
  const { value } = answer;
  if (answer.outcome !== 'ok') return fail(`${tool} ${describeOutcome(answer)}`, isLost(answer) ? 'unknown' : 'failed', isLost(answer));
  if (isObject(value) && value.error !== undefined && value.error !== null) return fail(`${tool} answered with an error: ${toWords(value.error)}`);
  const member = isObject(value) ? parse(value[name]) : undefined;
  return member === undefined ? fail(`${tool} answered without a usable ${name}`) : { ok: true, member };
}

export const fail = (words: string, outcome: 'failed' | 'unknown' = 'failed', again = false): Extract<SequenceEnd, { ok: false }> => ({
  ok: false, outcome, words: words.replace(/\.$/, ''), again,
});

/** The connection went away, or the call did with the process: nothing answers for what was begun on it. */
const isLost = ({ outcome }: PlumbingAnswer): boolean => outcome === 'unknown' || outcome === 'interrupted';

const describeOutcome = ({ outcome, error }: PlumbingAnswer): string =>
  `${outcome === 'tool_error' || outcome === 'protocol_error' ? 'answered with an error' : `ended ${outcome}`}${error === null ? '' : `: ${error.message}`}`;

function toWords(error: unknown): string {
  if (typeof error === 'string') return error;
  return isObject(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
}
