import { ACTOR_KINDS } from '@/lib/auth';
import { isKnownErrorCode, OUTCOMES } from '@/lib/calls';
import { runIds, toIso, type FieldError } from '@/lib/core';
import { isServerKey } from '@/lib/servers';
import type { LedgerRow } from './entry';
import type { LedgerFilter } from './filter';
import { hasSearchedWord, MAX_TEXT_CHARACTERS } from './search-text';

/** Everything but plumbing: the default view. */
export const EMPTY_LEDGER_FILTER: LedgerFilter = {
  serverKeys: [], tools: [], outcomes: [], errorCodes: [], actorKinds: [], actorName: null, runId: null, fromAt: null, toAt: null,
  minDurationMs: null, maxDurationMs: null, text: null, plumbing: false,
};

/**
 * Reads a filter from an address: `server`, `tool`, `outcome`, `code` and `actor` (a kind) may repeat;
 * `actor_name`, `run`, `from` and `to` (ISO 8601), `min_ms` and `max_ms`, `text` and `plumbing=1` stand once. A
 * value that cannot be read is left out and named in `errors`, so that a page can show what it understood.
 */
export function parseLedgerFilter(search: URLSearchParams): { readonly filter: LedgerFilter; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const reject = (field: string, message: string): void => {
    errors.push({ field, message });
  };
  const many = <Value extends string>(name: string, is: (text: string) => text is Value, rule: string): Value[] => {
    const texts = [...new Set(search.getAll(name))].filter((text) => text !== '');
    for (const text of texts) if (!is(text)) reject(name, `"${text.slice(0, 100)}" ${rule}`);
    return texts.filter(is);
  };
  const moment = (name: string): number | null => {
    const text = search.get(name);
    if (text === null || text === '') return null;
    const at = parseMoment(text);
    if (at === undefined) reject(name, `"${text.slice(0, 100)}" is no time: write it as 2026-07-28T09:30:00Z.`);
    return at ?? null;
  };
  const duration = (name: string): number | null => {
    const text = search.get(name)?.trim() ?? '';
    if (text === '') return null;
    const isRead = /^\d{1,12}$/.test(text);
    if (!isRead) reject(name, `"${text.slice(0, 100)}" is no duration: write whole milliseconds, such as 1500.`);
    return isRead ? Number(text) : null;
  };
  const words = (): string | null => {
    const text = search.get('text')?.trim() ?? '';
    if (text === '') return null;
    if (text.length > MAX_TEXT_CHARACTERS) reject('text', `The text to search for is too long: write at most ${MAX_TEXT_CHARACTERS} characters.`);
    else if (!hasSearchedWord(text)) reject('text', `"${text}" holds no letter and no digit: nothing can be searched for.`);
    else return text;
    return null;
  };
  const runText = search.get('run') ?? '';
  const runId = runIds.parse(runText) ?? null;
  if (runId === null && runText !== '') reject('run', `"${runText.slice(0, 100)}" is no run's id.`);
  const fromAt = moment('from');
  const toAt = moment('to');
  if (fromAt !== null && toAt !== null && fromAt >= toAt) reject('to', 'The end of the time lies before its beginning: nothing can match.');
  const minDurationMs = duration('min_ms');
  const maxDurationMs = duration('max_ms');
  if (minDurationMs !== null && maxDurationMs !== null && minDurationMs > maxDurationMs) reject('max_ms', 'The longest duration is shorter than the shortest: nothing can match.');
  return {
    filter: {
      serverKeys: many('server', isServerKey, "is no server's key."),
      tools: many('tool', (text): text is string => text.length <= 1000, 'is too long for the name of a tool.'),
      outcomes: many('outcome', oneOf(OUTCOMES), `is no outcome: use one of ${OUTCOMES.join(', ')}.`),
      errorCodes: many('code', (text): text is string => text.length <= 200, 'is too long for the code of an error.'),
      actorKinds: many('actor', oneOf(ACTOR_KINDS), `is no kind of actor: use one of ${ACTOR_KINDS.join(', ')}.`),
      actorName: search.get('actor_name')?.slice(0, 500) || null,
      runId,
      fromAt,
      toAt,
      minDurationMs,
      maxDurationMs,
      text: words(),
      plumbing: search.get('plumbing') === '1',
    },
    errors,
  };
}

/** The address part that `parseLedgerFilter` reads back; empty for the default view. */
export function toLedgerSearch(filter: LedgerFilter): URLSearchParams {
  const search = new URLSearchParams();
  for (const key of filter.serverKeys) search.append('server', key);
  for (const tool of filter.tools) search.append('tool', tool);
  for (const outcome of filter.outcomes) search.append('outcome', outcome);
  for (const code of filter.errorCodes) search.append('code', code);
  for (const kind of filter.actorKinds) search.append('actor', kind);
  if (filter.actorName !== null) search.set('actor_name', filter.actorName);
  if (filter.runId !== null) search.set('run', filter.runId);
  if (filter.fromAt !== null) search.set('from', toIso(filter.fromAt));
  if (filter.toAt !== null) search.set('to', toIso(filter.toAt));
  if (filter.minDurationMs !== null) search.set('min_ms', String(filter.minDurationMs));
  if (filter.maxDurationMs !== null) search.set('max_ms', String(filter.maxDurationMs));
  if (filter.text !== null) search.set('text', filter.text);
  if (filter.plumbing) search.set('plumbing', '1');
  return search;
}

/**
 * What of a filter would tell someone who may not see contents what stands in them: the words of a search, and
 * codes that servers chose.
 * @returns the filter without it, and a sentence for each part that was left out
 */
export function withoutContentFilters(filter: LedgerFilter): { readonly filter: LedgerFilter; readonly errors: readonly FieldError[] } {
  const hidden = filter.errorCodes.filter((code) => !isKnownErrorCode(code));
  return {
    filter: { ...filter, text: null, errorCodes: filter.errorCodes.filter(isKnownErrorCode) },
    errors: [
      ...(filter.text === null ? [] : [{ field: 'text', message: 'An analyst can search in arguments, results and errors; your role does not see them.' }]),
      ...hidden.map((code) => ({ field: 'code', message: `An analyst can look for "${code}"; your role does not see the codes that servers chose.` })),
    ],
  };
}

/**
 * Whether a row belongs to what is looked at, for rows that arrive live; whether its contents hold the text is
 * known where they are kept.
 */
export function matchesFilter(filter: LedgerFilter, row: FilteredFacts): boolean {
  return (
    (filter.plumbing || !row.plumbing) &&
    includes(filter.serverKeys, row.serverKey) &&
    includes(filter.tools, row.tool) &&
    includes(filter.outcomes, row.outcome) &&
    (filter.errorCodes.length === 0 || (row.errorCode !== null && filter.errorCodes.includes(row.errorCode))) &&
    includes(filter.actorKinds, row.actorKind) &&
    (filter.actorName === null || filter.actorName === row.actorName) &&
    (filter.runId === null || filter.runId === row.runId) &&
    (filter.fromAt === null || row.requestedAt >= filter.fromAt) &&
    (filter.toAt === null || row.requestedAt < filter.toAt) &&
    hasDuration(filter, row)
  );
}

type FilteredFacts = Pick<
  LedgerRow,
  'plumbing' | 'serverKey' | 'tool' | 'outcome' | 'errorCode' | 'actorKind' | 'actorName' | 'runId' | 'requestedAt' | 'finishedAt'
>;

function hasDuration({ minDurationMs, maxDurationMs }: LedgerFilter, { requestedAt, finishedAt }: FilteredFacts): boolean {
  if (minDurationMs === null && maxDurationMs === null) return true;
  if (finishedAt === null) return false;
  const durationMs = finishedAt - requestedAt;
  return durationMs >= (minDurationMs ?? -Infinity) && durationMs <= (maxDurationMs ?? Infinity);
}

const includes = <Value>(wanted: readonly Value[], value: Value): boolean => wanted.length === 0 || wanted.includes(value);

function oneOf<Value extends string>(values: readonly Value[]) {
  return (text: string): text is Value => values.some((value) => value === text);
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A day is its beginning in UTC; a time without an offset is UTC too. */
function parseMoment(text: string): number | undefined {
  // A plus sign that was not encoded arrives as a blank.
  const iso = text.trim().replace(' ', '+');
  if (!ISO.test(iso)) return undefined;
  const at = Date.parse(iso.includes('T') && !/(?:Z|[+-]\d{2}:\d{2})$/.test(iso) ? `${iso}Z` : iso);
  return Number.isNaN(at) ? undefined : at;
}
