import { isFinal, type Outcome } from '@/lib/calls';
import { assertNever, toCanonicalJson, toEntryId, type Json } from '@/lib/core';
import type { CallOpening, LedgerEntry, LedgerEvent } from './entry';

/** Of events at the same millisecond: the order in which they can have happened. */
const RANK: Readonly<Record<LedgerEvent['type'], number>> = {
  'call.opened': 0,
  'call.handed': 1,
  'call.queued': 2,
  'call.sent': 3,
  'call.answering': 4,
  'call.progressed': 5,
  'call.warned': 6,
  'call.finished': 7,
  'call.answered_late': 8,
  'call.read_back': 9,
};

/**
 * An entry as its events make it. The same for any order of the events and for any repetition of them.
 * @returns undefined where `call.opened` is not among them
 */
export function foldEntry(sequence: number, events: readonly LedgerEvent[]): LedgerEntry | undefined {
  const distinct = new Map(events.map((event) => [toKey(event), event]));
  const ordered = [...distinct].sort(([keyA, a], [keyB, b]) => order(a) - order(b) || a.at - b.at || compare(keyA, keyB));
  const [first, ...rest] = ordered.map(([, event]) => event);
  if (first?.type !== 'call.opened') return undefined;
  return rest.reduce(applyEvent, openEntry(sequence, first.opening, first.at));
}

/** The opening stands first whatever its time; the others are ordered by theirs. */
const order = (event: LedgerEvent): number => (event.type === 'call.opened' ? 0 : 1);

/** Sorts by rank within a millisecond, then by content, so that the order is total. */
const toKey = (event: LedgerEvent): string => `${RANK[event.type]}${toCanonicalJson(toJson(event))}`;

const toJson = (event: LedgerEvent): Json => JSON.parse(JSON.stringify(event)) as Json; // what JSON.parse returns is JSON

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The entry as `call.opened` alone makes it. */
export function openEntry(sequence: number, opening: CallOpening, at: number): LedgerEntry {
  const { number, ...facts } = opening;
  return {
    ...facts,
    sequence,
    entryId: toEntryId(number),
    outcome: 'requested',
    error: null,
    argumentsSent: null,
    result: null,
    requestedAt: at,
    queuedAt: null,
    sentAt: null,
    firstByteAt: null,
    finishedAt: null,
    attempts: 0,
    era: null,
    warnings: [],
    progress: [],
    lateAnswerAt: null,
    handings: [],
    outputs: [],
  };
}

/** The entry after one more event; `foldEntry` is this over all of them in order. */
export function applyEvent(entry: LedgerEntry, event: LedgerEvent): LedgerEntry {
  switch (event.type) {
    case 'call.opened':
      return entry;
    case 'call.handed':
      return { ...entry, handings: [...entry.handings, event.handing] };
    case 'call.queued':
      return { ...entry, outcome: unlessEnded(entry, 'queued'), queuedAt: entry.queuedAt ?? event.at };
    case 'call.sent':
      return {
        ...entry,
        outcome: unlessEnded(entry, 'sent'),
        sentAt: entry.sentAt ?? event.at,
        attempts: Math.max(entry.attempts, event.attempt),
        era: event.era,
        argumentsSent: event.argumentsSent ?? entry.argumentsSent,
      };
    case 'call.answering':
      return { ...entry, firstByteAt: entry.firstByteAt ?? event.at };
    case 'call.progressed':
      return { ...entry, progress: [...entry.progress, event.note] };
    case 'call.warned':
      return entry.warnings.includes(event.warning) ? entry : { ...entry, warnings: [...entry.warnings, event.warning] };
    case 'call.finished':
      if (isFinal(entry.outcome)) return entry;
      return { ...entry, outcome: event.outcome, error: event.error, result: event.result ?? entry.result, finishedAt: event.at };
    case 'call.answered_late':
      return { ...entry, lateAnswerAt: entry.lateAnswerAt ?? event.at, result: entry.result ?? event.result };
    case 'call.read_back':
      return { ...entry, outputs: [...entry.outputs, event.output] };
    default:
      return assertNever(event);
  }
}

const unlessEnded = (entry: LedgerEntry, outcome: Outcome): Outcome => (isFinal(entry.outcome) ? entry.outcome : outcome);
