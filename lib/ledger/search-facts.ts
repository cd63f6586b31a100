import { isFinal } from '@/lib/calls';
import type { LedgerEntry } from './entry';
import type { LedgerFilter } from './filter';

/** What an entry is filtered by, as far as it stands in the text index with its words. */
export type FilteredFacts = Pick<LedgerEntry, 'runId' | 'serverKey' | 'tool' | 'actorKind' | 'actorName' | 'plumbing' | 'outcome' | 'requestedAt' | 'finishedAt'> & {
  readonly errorCode: string | null;
};

/** Of private use, and to the index the beginning of a word: nobody's text holds these words but by intent. */
const MARK = '\uE000';

/**
 * The facts of an entry as words of the index. Two facts may share a word: what is found by them is sifted by the
 * facts themselves. How a call stands is left out until it ended.
 */
export function toFactWords(entry: FilteredFacts): string {
  const { outcome, errorCode, finishedAt, requestedAt } = entry;
  return [
    toWord('run', entry.runId),
    toWord('server', entry.serverKey),
    toWord('tool', entry.tool),
    toWord('actor_kind', entry.actorKind),
    toWord('actor', entry.actorName),
    toWord('plumbing', String(entry.plumbing)),
    ...(isFinal(outcome) ? [toWord('outcome', outcome)] : []),
    ...(errorCode === null ? [] : [toWord('code', errorCode)]),
    ...(finishedAt === null ? [] : [toWord('span', String(toSpan(finishedAt - requestedAt)))]),
  ].join(' ');
}

/**
 * What a query of the index is narrowed by for a filter, for each condition the words of which an entry has one.
 * @param withDuration whether a range of durations is among them: one that most entries lie in narrows nothing
 */
export function listFactGroups(filter: LedgerFilter, withDuration: boolean): string[][] {
  const group = (name: string, values: readonly string[]): string[] => values.map((value) => toWord(name, value));
  return [
    group('run', filter.runId === null ? [] : [filter.runId]),
    group('server', filter.serverKeys),
    group('tool', filter.tools),
    group('actor_kind', filter.actorKinds),
    group('actor', filter.actorName === null ? [] : [filter.actorName]),
    group('plumbing', filter.plumbing ? [] : ['false']),
    group('outcome', filter.outcomes.every(isFinal) ? filter.outcomes : []),
    group('code', filter.errorCodes),
    withDuration ? listSpans(filter).map((span) => toWord('span', String(span))) : [],
  ].filter((words) => words.length > 0);
}

/** A call that takes longer than some 30 years is found with those that take as long. */
const LAST_SPAN = 160;

/** Its part of the scale of durations, of which there are four to a doubling. */
const toSpan = (durationMs: number): number => Math.min(LAST_SPAN, Math.floor(4 * Math.log2(Math.max(0, durationMs) + 1)));

function listSpans({ minDurationMs, maxDurationMs }: LedgerFilter): number[] {
  if (minDurationMs === null && maxDurationMs === null) return [];
  const first = toSpan(minDurationMs ?? 0);
  const last = maxDurationMs === null ? LAST_SPAN : toSpan(maxDurationMs);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** FNV-1a of 32 bits. */
function toWord(name: string, value: string): string {
  let hash = 0x811c9dc5;
  const text = `${name} ${value}`;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `${MARK}${(hash >>> 0).toString(36)}`;
}
