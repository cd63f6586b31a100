import { formatBytes, formatDuration, toIso, type Json } from '@/lib/core';
import { compareJson, type Comparison, type LedgerEntry, type StoredPayload } from '@/lib/ledger';
import type { ComparedFact } from '@/components/ledger/compare/compared-table';

interface ComparedEntries {
  readonly facts: readonly ComparedFact[];
  readonly timings: readonly ComparedFact[];
  readonly arguments: Comparison;
  readonly error: Comparison;
  readonly result: Comparison;
  /** Whether a payload is so large that its preview is compared. */
  readonly comparesPreviews: boolean;
}

/** Two entries side by side. */
export function compareEntries(a: LedgerEntry, b: LedgerEntry): ComparedEntries {
  const compare = (read: (entry: LedgerEntry) => Json): Comparison => compareJson(read(a), read(b));
  return {
    facts: listFacts(a, b, [
      ['server', (entry) => entry.serverKey],
      ['tool', (entry) => entry.tool],
      ['actor', (entry) => entry.actorName],
      ['outcome', (entry) => entry.outcome],
      ['attempts', (entry) => String(entry.attempts)],
      ['era', (entry) => entry.era],
      ['result size', (entry) => (entry.result === null ? null : formatBytes(entry.result.sizeBytes))],
    ]),
    timings: listFacts(a, b, [
      ['requested', (entry) => toIso(entry.requestedAt)],
      ['until sent', (entry) => toSpan(entry.requestedAt, entry.sentAt)],
      ['until the first byte', (entry) => toSpan(entry.sentAt, entry.firstByteAt)],
      ['until finished', (entry) => toSpan(entry.firstByteAt ?? entry.sentAt, entry.finishedAt)],
      ['in all', (entry) => toSpan(entry.requestedAt, entry.finishedAt)],
    ]),
    arguments: compare((entry) => parsePayload(entry.arguments)),
    // Errors are made of JSON.
    error: compare(({ error }) => (error === null ? null : (JSON.parse(JSON.stringify(error)) as Json))),
    result: compare((entry) => parsePayload(entry.result)),
    comparesPreviews: [a.arguments, b.arguments, a.result, b.result].some((payload) => payload?.kind === 'blob'),
  };
}

const listFacts = (a: LedgerEntry, b: LedgerEntry, reads: readonly (readonly [string, (entry: LedgerEntry) => string | null])[]): ComparedFact[] =>
  reads.map(([name, read]) => ({ name, a: read(a), b: read(b), differs: read(a) !== read(b) }));

const toSpan = (from: number | null, to: number | null): string | null => (from === null || to === null ? null : formatDuration(Math.max(0, to - from)));

const parsePayload = (payload: StoredPayload | null): Json =>
  payload === null ? null : (JSON.parse(payload.kind === 'inline' ? payload.json : payload.preview) as Json); // what JSON.parse returns is JSON
