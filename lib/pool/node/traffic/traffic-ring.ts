import type { Redactor } from '@/lib/core';
import { readShape, type ConnectionPurpose, type WireConnection, type WireDirection, type WireMessage, type WireRow, type WireShape } from '../..';

/** A connection as it is recorded; each server that it belongs to counts it by itself. */
export interface RecordedConnection {
  readonly purpose: ConnectionPurpose;
  readonly openedAt: number;
  endedAt: number | null;
  /** Takes out what was secret in the configuration that it was opened with. */
  readonly secrets: () => Redactor;
}

/** A message as it is kept: nothing of it is read or scrubbed before somebody looks. */
export interface RecordedMessage {
  readonly connection: RecordedConnection;
  readonly direction: WireDirection;
  readonly at: number;
  readonly sizeBytes: number;
  /** The beginning of the text, in bytes of its own. */
  readonly head: Buffer;
  /** The end of a text that was cut here, where the official SDK writes the id. */
  readonly tail: Buffer | null;
}

interface KeptMessage {
  readonly number: number;
  readonly recorded: RecordedMessage;
}

/** What an entry weighs beside its text: objects and the bookkeeping of a buffer. */
const ENTRY_BYTES = 400;
const LONGEST_NAME = 300;

export const weigh = ({ head, tail }: RecordedMessage): number => head.length + (tail?.length ?? 0) + ENTRY_BYTES;

export interface RingLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** The last messages of one server, with a number for each that rises. */
export class TrafficRing {
  bytes = 0;
  /** Of the configuration that was deleted: nothing is kept for it any more. */
  isForgotten = false;

  private readonly kept: (KeptMessage | undefined)[] = [];
  private oldest = 0;
  private newestNumber = 0;
  private readonly numbers = new Map<RecordedConnection, { readonly number: number; readonly firstMessage: number }>();
  private newestConnection = 0;

  constructor(
    readonly since: number,
    private readonly limits: RingLimits,
  ) {}

  get size(): number {
    return this.kept.length - this.oldest;
  }

  add(recorded: RecordedMessage): void {
    const number = (this.newestNumber += 1);
    if (!this.numbers.has(recorded.connection)) this.join(recorded.connection, number);
    this.kept.push({ number, recorded });
    this.bytes += weigh(recorded);
    while (this.size > 1 && (this.size > this.limits.messages || this.bytes > this.limits.bytes)) this.dropOldest();
  }

  dropOldest(): void {
    const oldest = this.kept[this.oldest];
    if (oldest === undefined) return;
    this.kept[this.oldest] = undefined;
    this.oldest += 1;
    this.bytes -= weigh(oldest.recorded);
    // Cut in steps: to shift at each message would copy the list each time.
    if (this.oldest > this.limits.messages) {
      this.kept.splice(0, this.oldest);
      this.oldest = 0;
    }
  }

  /** What is kept of one connection, oldest first. */
  listOf(connection: RecordedConnection): RecordedMessage[] {
    return this.kept.slice(this.oldest).flatMap((message) => (message?.recorded.connection === connection ? message.recorded : []));
  }

  /** Lets everything go, for good. */
  forget(): void {
    this.isForgotten = true;
    this.kept.length = 0;
    this.oldest = 0;
    this.bytes = 0;
  }

  /** The messages after a number, oldest first; the newest `limit` where no number is given. */
  list(after: number | null, limit: number): { readonly messages: readonly KeptMessage[]; readonly more: boolean } {
    const all = this.kept.slice(this.oldest).filter((message) => message !== undefined);
    if (after === null) return { messages: all.slice(-limit), more: false };
    const newer = all.filter(({ number }) => number > after);
    return { messages: newer.slice(0, limit), more: newer.length > limit };
  }

  listConnections(): WireConnection[] {
    const held = this.listHeld();
    return [...this.numbers].filter(([connection]) => held.has(connection)).map(([{ purpose, openedAt, endedAt }, numbers]) => ({ ...numbers, purpose, openedAt, endedAt }));
  }

  /** What can be told of a message without its text. */
  toRow({ number, recorded }: KeptMessage, redactor: Redactor): WireRow {
    const { connection, direction, at, sizeBytes, head, tail } = recorded;
    const shape = readShape(head.toString('utf8'), tail?.toString('utf8'));
    const scrub = (text: string) => redactor.text(connection.secrets().text(text.slice(0, LONGEST_NAME)));
    return {
      ...scrubShape(shape, scrub), number, direction, at, sizeBytes,
      connection: this.numbers.get(connection)?.number ?? 0,
      isCut: head.length < sizeBytes,
    };
  }

  toMessage(kept: KeptMessage, redactor: Redactor): WireMessage {
    const row = this.toRow(kept, redactor);
    const text = kept.recorded.head.toString('utf8');
    // Before anything is shortened, and in one go: half a secret would not be known for one.
    return { ...row, text: redactor.wire(kept.recorded.connection.secrets().withoutWireValues(text, row.isCut), row.isCut) };
  }

  /** Gives a connection its number, which it keeps while it is open, and forgets those that ended and left nothing. */
  private join(connection: RecordedConnection, firstMessage: number): void {
    const held = this.listHeld();
    for (const known of this.numbers.keys()) if (known.endedAt !== null && !held.has(known)) this.numbers.delete(known);
    this.numbers.set(connection, { number: (this.newestConnection += 1), firstMessage });
  }

  private listHeld(): ReadonlySet<RecordedConnection> {
    return new Set(this.kept.slice(this.oldest).flatMap((message) => message?.recorded.connection ?? []));
  }
}

function scrubShape(shape: WireShape, scrub: (text: string) => string): WireShape {
  const scrubId = (id: WireShape['id']) => (typeof id === 'string' ? scrub(id) : id);
  return {
    ...shape,
    id: scrubId(shape.id),
    about: scrubId(shape.about),
    method: shape.method === null ? null : scrub(shape.method),
    parts: shape.parts.map((part) => scrubShape(part, scrub)),
  };
}
