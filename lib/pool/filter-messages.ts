import { isUnanswered, type WireMatch } from './match-messages';
import type { MessageKind, WireDirection, WireRow } from './wire-message';

/** What a list of messages is narrowed by; an empty list or text narrows nothing. */
export interface WireFilter {
  readonly directions: readonly WireDirection[];
  readonly kinds: readonly MessageKind[];
  readonly connections: readonly number[];
  /** A part of the method; an answer has that of its request. */
  readonly method: string;
  readonly onlyUnanswered: boolean;
}

/** The method of a message, of an answer that of the request it answers; null where there is none. */
export const methodOf = (row: WireRow, match: WireMatch | undefined): string | null =>
  row.method ?? (match !== undefined && 'method' in match ? match.method : null);

/** The messages that a filter leaves, in their order. */
export function filterMessages<Row extends WireRow>(
  rows: readonly Row[],
  matches: ReadonlyMap<number, WireMatch>,
  filter: WireFilter,
): readonly Row[] {
  const isIn = <Value>(wanted: readonly Value[], value: Value) => wanted.length === 0 || wanted.includes(value);
  const method = filter.method.trim().toLowerCase();
  return rows.filter((row) => {
    const match = matches.get(row.number);
    return (
      isIn(filter.directions, row.direction) &&
      isIn(filter.kinds, row.kind) &&
      isIn(filter.connections, row.connection) &&
      (method === '' || (methodOf(row, match) ?? '').toLowerCase().includes(method)) &&
      (!filter.onlyUnanswered || (match !== undefined && isUnanswered(match)))
    );
  });
}
