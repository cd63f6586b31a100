import type { CallError } from '@/lib/calls';
import { isObject, type Json, type Redactor } from '@/lib/core';
import type { OutputEnd } from '@/lib/files';
import type { LedgerEvent } from '..';

/** Takes values of the vault (`withoutValues`) and all that is shaped like a secret (`text`) out of texts. */
export type Scrubber = Pick<Redactor, 'withoutValues' | 'text'>;

/**
 * The value without the vault's values, in texts, names and numbers alike; the same object where there were none.
 * Part by part, since replacing inside the JSON text could break it where a secret looks like a number.
 */
export function scrubJson(value: Json, scrubber: Scrubber): Json {
  if (typeof value === 'string') return scrubber.withoutValues(value);
  if (typeof value === 'number') {
    const scrubbed = scrubber.withoutValues(String(value));
    return scrubbed === String(value) ? value : scrubbed;
  }
  if (isList(value)) {
    const items = value.map((item) => scrubJson(item, scrubber));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const members = Object.entries(value as Readonly<Record<string, Json>>).map(([name, member]): [string, Json] => {
    // An object of Json has Json members.
    const scrubbed: [string, Json] = [scrubber.withoutValues(name), scrubJson(member, scrubber)];
    changed ||= scrubbed[0] !== name || scrubbed[1] !== member;
    return scrubbed;
  });
  return changed ? Object.fromEntries(members) : value;
}

/** `Array.isArray` does not narrow read-only lists. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The event without the vault's values; its payloads were scrubbed when they were stored. */
export function scrubEvent(event: LedgerEvent, scrubber: Scrubber): LedgerEvent {
  switch (event.type) {
    case 'call.handed':
      return { ...event, handing: { ...event.handing, path: scrubber.withoutValues(event.handing.path), degradation: scrubOptional(event.handing.degradation, scrubber) } };
    case 'call.read_back':
      return { ...event, output: scrubOutput(event.output, scrubber) };
    case 'call.progressed':
      return { ...event, note: { ...event.note, text: scrubber.withoutValues(event.note.text) } };
    case 'call.warned':
      return { ...event, warning: scrubber.withoutValues(event.warning) };
    case 'call.finished':
      return { ...event, error: event.error === null ? null : scrubError(event.error, scrubber) };
    default:
      return event;
  }
}

/** Paths and words are what a server wrote. */
const scrubOutput = (output: OutputEnd, scrubber: Scrubber): OutputEnd =>
  output.taken
    ? { ...output, path: scrubber.withoutValues(output.path), name: scrubber.withoutValues(output.name) }
    : { ...output, path: scrubOptional(output.path, scrubber), words: scrubber.withoutValues(output.words) };

const scrubOptional = (text: string | null, scrubber: Scrubber): string | null => (text === null ? null : scrubber.withoutValues(text));

export const scrubError = (error: CallError, scrubber: Scrubber): CallError => ({
  ...error,
  code: scrubber.withoutValues(error.code),
  message: scrubber.withoutValues(error.message),
  remediation: error.remediation === null ? null : scrubber.withoutValues(error.remediation),
  // Details are JSON, since they came from a JSON answer.
  details: scrubJson((error.details ?? null) as Json, scrubber),
});
