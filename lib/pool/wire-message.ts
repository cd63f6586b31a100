/** Seen from the console. */
export const WIRE_DIRECTIONS = ['sent', 'received'] as const;
export type WireDirection = (typeof WIRE_DIRECTIONS)[number];

export const MESSAGE_KINDS = ['request', 'notification', 'result', 'error', 'other'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What a connection was opened for: the one that all share, a connection test, one run. */
export type ConnectionPurpose = 'shared' | 'test' | 'run';

export type WireId = string | number;

/** What a message is, read from its text. */
export interface WireShape {
  readonly kind: MessageKind;
  readonly id: WireId | null;
  /** As it stands in the message: an answer has none. */
  readonly method: string | null;
  /** Of a cancellation or of progress: the id of the request that it speaks of. */
  readonly about: WireId | null;
  /** Of an error: its code, or the status of an HTTP answer that is no message. */
  readonly code: number | null;
  /** The messages of a batch, which only revision 2025-03-26 has. */
  readonly parts: readonly WireShape[];
}

/** A message in a list of many: all but its text. */
export interface WireRow extends WireShape {
  /** Rises with each message of a server. */
  readonly number: number;
  readonly connection: number;
  readonly direction: WireDirection;
  readonly at: number;
  /** On the wire, however much of it is kept. */
  readonly sizeBytes: number;
  /** Only the beginning of its text is kept. */
  readonly isCut: boolean;
}

/** A message with its text as it was on the wire, without secrets. */
export interface WireMessage extends WireRow {
  readonly text: string;
}

export interface WireConnection {
  /** Rises with each connection of a server over which something passed. */
  readonly number: number;
  readonly purpose: ConnectionPurpose;
  /** The number of the first message that passed over it, also where that is no longer kept. */
  readonly firstMessage: number;
  readonly openedAt: number;
  /** null while it is open. */
  readonly endedAt: number | null;
}

/** Messages of a server in their order, as one answer of the console. */
export interface Traffic<Row extends WireRow = WireRow> {
  /** When the counting began: numbers of another beginning are of another console's life. */
  readonly since: number;
  readonly rows: readonly Row[];
  readonly connections: readonly WireConnection[];
  /** There are newer messages than the last of `rows`. */
  readonly more: boolean;
}
