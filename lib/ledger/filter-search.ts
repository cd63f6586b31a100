import { ACTOR_KINDS } from '@/lib/auth';
import { OUTCOMES } from '@/lib/calls';
import { runIds, toIso, type FieldError } from '@/lib/core';
import { isServerKey } from '@/lib/servers';
import type { LedgerRow } from './entry';
import type { LedgerFilter } from './filter';

/** Everything but plumbing: the default view. */
export const EMPTY_LEDGER_FILTER: LedgerFilter = {
  serverKeys: [], tools: [], outcomes: [], actorKinds: [], actorName: null, runId: null, fromAt: null, toAt: null, plumbing: false,
};

/**
 * Reads a filter from an address: `server`, `tool`, `outcome` and `actor` (a kind) may repeat; `actor_name`,
 * `run`, `from` and `to` (ISO 8601) and `plumbing=1` stand once. A value that cannot be read is left out and
 * named in `errors`, so that a page can show what it understood.
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
  const runText = search.get('run') ?? '';
  const runId = runIds.parse(runText) ?? null;
  if (runId === null && runText !== '') reject('run', `"${runText.slice(0, 100)}" is no run's id.`);
  const fromAt = moment('from');
  const toAt = moment('to');
  if (fromAt !== null && toAt !== null && fromAt >= toAt) reject('to', 'The end of the time lies before its beginning: nothing can match.');
  return {
    filter: {
      serverKeys: many('server', isServerKey, "is no server's key."),
      tools: many('tool', (text): text is string => text.length <= 1000, 'is too long for the name of a tool.'),
      outcomes: many('outcome', oneOf(OUTCOMES), `is no outcome: use one of ${OUTCOMES.join(', ')}.`),
      actorKinds: many('actor', oneOf(ACTOR_KINDS), `is no kind of actor: use one of ${ACTOR_KINDS.join(', ')}.`),
      actorName: search.get('actor_name')?.slice(0, 500) || null,
      runId,
      fromAt,
      toAt,
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
  for (const kind of filter.actorKinds) search.append('actor', kind);
  if (filter.actorName !== null) search.set('actor_name', filter.actorName);
  if (filter.runId !== null) search.set('run', filter.runId);
  if (filter.fromAt !== null) search.set('from', toIso(filter.fromAt));
  if (filter.toAt !== null) search.set('to', toIso(filter.toAt));
  if (filter.plumbing) search.set('plumbing', '1');
  return search;
}

/** Whether a row belongs to what is looked at: for rows that arrive live. */
export function matchesFilter(filter: LedgerFilter, row: FilteredFacts): boolean {
  return (
    (filter.plumbing || !row.plumbing) &&
    includes(filter.serverKeys, row.serverKey) &&
    includes(filter.tools, row.tool) &&
    includes(filter.outcomes, row.outcome) &&
    includes(filter.actorKinds, row.actorKind) &&
    (filter.actorName === null || filter.actorName === row.actorName) &&
    (filter.runId === null || filter.runId === row.runId) &&
    (filter.fromAt === null || row.requestedAt >= filter.fromAt) &&
    (filter.toAt === null || row.requestedAt < filter.toAt)
  );
}

type FilteredFacts = Pick<LedgerRow, 'plumbing' | 'serverKey' | 'tool' | 'outcome' | 'actorKind' | 'actorName' | 'runId' | 'requestedAt'>;

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
