import { assertNever } from '@/lib/core';
import type { WireConnection, WireDirection, WireId, WireRow, WireShape } from './wire-message';

/** How a message stands to another: the numbers are those of the partners. */
export type WireMatch =
  /** A message that has no partner. */
  | { readonly kind: 'alone' }
  | { readonly kind: 'waiting' }
  /** The connection ended, or the id was used again, before an answer came. */
  | { readonly kind: 'never_answered' }
  | { readonly kind: 'cancelled'; readonly partner: number }
  /** `late`: after the request had been cancelled. */
  | { readonly kind: 'answered'; readonly partner: number; readonly ms: number; readonly late: boolean }
  | { readonly kind: 'answers'; readonly partner: number; readonly method: string; readonly ms: number; readonly late: boolean }
  /** `partner` is the request, whose answer was another. */
  | { readonly kind: 'second_answer'; readonly partner: number; readonly method: string }
  /** An answer that nothing asked for. */
  | { readonly kind: 'unasked' }
  /** An answer whose request, if there was one, is no longer kept. */
  | { readonly kind: 'request_gone' }
  /** Speaks of a request: a cancellation, progress. */
  | { readonly kind: 'about'; readonly partner: number };

/** The number of the message that belongs to it; null where there is none. */
export const partnerOf = (match: WireMatch): number | null => ('partner' in match ? match.partner : null);

/** Whether it is a request without an answer. */
export const isUnanswered = ({ kind }: WireMatch): boolean => kind === 'waiting' || kind === 'never_answered' || kind === 'cancelled';

interface AskedRequest {
  readonly number: number;
  readonly at: number;
  readonly id: WireId;
  readonly method: string;
  cancelledBy: number | null;
  isAnswered: boolean;
}

/** The ids that one side gave out on one connection: those of the other side are others, whatever they look like. */
class IdSpace {
  private readonly asked = new Map<string, AskedRequest>();

  /** @returns the request that used the id before and was not answered */
  ask(request: AskedRequest): AskedRequest | undefined {
    const key = toKey(request.id);
    const before = this.asked.get(key);
    this.asked.delete(key);
    this.asked.set(key, request);
    return before?.isAnswered === false ? before : undefined;
  }

  /** By the very id; else by one that reads the same, since some servers answer 1 with "1". */
  find(id: WireId): AskedRequest | undefined {
    const exact = this.asked.get(toKey(id));
    if (exact !== undefined) return exact;
    const other = typeof id === 'string' ? Number(id) : String(id);
    return String(other) === String(id) ? this.asked.get(toKey(other)) : undefined;
  }

  /** The one that waits, where it is the only one. */
  findOnlyOpen(): AskedRequest | undefined {
    const open = this.listOpen();
    return open.length === 1 ? open[0] : undefined;
  }

  listOpen(): AskedRequest[] {
    return [...this.asked.values()].filter((request) => !request.isAnswered);
  }
}

const toKey = (id: WireId): string => `${typeof id} ${id}`;
const opposite = (direction: WireDirection): WireDirection => (direction === 'sent' ? 'received' : 'sent');

/**
 * Matches requests with their answers, cancellations and progress, in the order of the wire. An answer settles the
 * newest request of its id once; a further one is a second answer.
 * @param rows in rising order
 * @param connections those that are known: the requests of one that has ended, or is known no more, wait no longer
 */
export function matchMessages(rows: readonly WireRow[], connections: readonly WireConnection[]): ReadonlyMap<number, WireMatch> {
  const byNumber = new Map(connections.map((connection) => [connection.number, connection]));
  const whole = new Set<number>();
  const matches = new Map<number, WireMatch>();
  const spaces = new Map<string, IdSpace>();
  const spaceOf = (connection: number, asker: WireDirection): IdSpace => {
    const key = `${connection} ${asker}`;
    const space = spaces.get(key) ?? new IdSpace();
    spaces.set(key, space);
    return space;
  };
  for (const row of rows) {
    matches.set(row.number, { kind: 'alone' });
    if (byNumber.get(row.connection)?.firstMessage === row.number) whole.add(row.connection);
    for (const shape of row.parts.length > 0 ? row.parts : [row]) {
      const own = spaceOf(row.connection, row.direction);
      const theirs = spaceOf(row.connection, opposite(row.direction));
      matchOne(row, shape, own, theirs, matches, whole.has(row.connection) ? 'unasked' : 'request_gone');
    }
  }
  for (const [key, space] of spaces) {
    if (byNumber.get(Number(key.split(' ')[0]))?.endedAt === null) continue;
    for (const request of space.listOpen()) if (request.cancelledBy === null) matches.set(request.number, { kind: 'never_answered' });
  }
  return matches;
}

/** What an answer is that no request is known for. */
type Unclaimed = Extract<WireMatch['kind'], 'unasked' | 'request_gone'>;

function matchOne(row: WireRow, shape: WireShape, own: IdSpace, theirs: IdSpace, matches: Map<number, WireMatch>, unclaimed: Unclaimed): void {
  const { kind, id, method, about } = shape;
  switch (kind) {
    case 'request': {
      matches.set(row.number, { kind: 'waiting' });
      if (id === null) return;
      const before = own.ask({ number: row.number, at: row.at, id, method: method ?? '', cancelledBy: null, isAnswered: false });
      if (before !== undefined && before.cancelledBy === null) matches.set(before.number, { kind: 'never_answered' });
      return;
    }
    case 'notification': {
      if (about === null) return;
      const isCancelling = method === 'notifications/cancelled';
      const request = (isCancelling ? own : theirs).find(about);
      if (request === undefined) return;
      matches.set(row.number, { kind: 'about', partner: request.number });
      if (!isCancelling || request.isAnswered) return;
      request.cancelledBy = row.number;
      matches.set(request.number, { kind: 'cancelled', partner: row.number });
      return;
    }
    case 'result':
    case 'error':
      settle(row, id === null ? findUnnamed(row, kind, theirs) : theirs.find(id), matches, unclaimed);
      return;
    case 'other': {
      // A message with neither result nor error, or one that was let go for its size: it ends its request all the same.
      const request = id === null ? findUnnamed(row, kind, theirs) : theirs.find(id);
      if (request !== undefined) settle(row, request, matches, unclaimed);
      return;
    }
    default:
      assertNever(kind);
  }
}

/** An answer that names no request (a refusal of HTTP, one too large to be kept) is that of the only one that waits. */
const findUnnamed = (row: WireRow, kind: 'result' | 'error' | 'other', theirs: IdSpace): AskedRequest | undefined =>
  row.isCut || kind === 'error' ? theirs.findOnlyOpen() : undefined;

function settle(row: WireRow, request: AskedRequest | undefined, matches: Map<number, WireMatch>, unclaimed: Unclaimed): void {
  if (request === undefined) {
    matches.set(row.number, { kind: unclaimed });
    return;
  }
  const { number: partner, method } = request;
  if (request.isAnswered) {
    matches.set(row.number, { kind: 'second_answer', partner, method });
    return;
  }
  request.isAnswered = true;
  const ms = Math.max(0, row.at - request.at);
  const late = request.cancelledBy !== null;
  matches.set(partner, { kind: 'answered', partner: row.number, ms, late });
  matches.set(row.number, { kind: 'answers', partner, method, ms, late });
}
