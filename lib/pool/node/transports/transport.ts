import type { Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { TransportKind } from '@/lib/servers';
import type { ConnectFailure, WireDirection } from '../..';
import type { RequestId } from './frame';
import type { StreamedContent } from './streamed-content';

/** What a transport tells beside the messages; the seam that wraps it listens. */
export interface WireListener {
  /** The method that waits for this id; undefined where nothing does. */
  findWaiting(id: RequestId): string | undefined;
  /** Whether a request of ours is out that somebody still waits for. */
  isBusy(): boolean;
  /** Something came that claims to be an answer and can settle nothing; `id` null where it names no request. */
  onUnusable(id: RequestId | null, reason: string, quoted: string): void;
  /** A request or notification of the server's came that is no valid one; `id` null where nothing can be answered. */
  onInvalidRequest(id: RequestId | null, reason: string, quoted: string): void;
  /** A message over the limit was let go; it answers this request, null where it answers none or that could not be read. */
  onTooLarge(id: RequestId | null, sizeBytes: number, limitBytes: number): void;
  /** Text that is no message. */
  onStray(text: string): void;
  /** An answer came to a request that nobody waits for where it came: it is let go. */
  onForeignAnswer(id: RequestId | null): void;
  /** The stream that would carry the answer ended without it; `why` as the end of a sentence. */
  onStreamEnded(id: RequestId, why: string): void;
  /** This request was refused, or its sending broke off; told where the connection ends for that, just before it does. */
  onRefused(id: RequestId, refusal: WireRefusal): void;
  /** More of the answer to this request came, which is not whole yet. */
  onBytes?(id: RequestId): void;
  /** The connection ends and takes nothing more; what is in flight is still waited for, and then it closes by itself. */
  onDraining?(): void;
  /**
   * Something about the server that is worth a line in its log; of a kind that is named once on each connection. A
   * `warning` is put up with and should be mended: the test of the server has it too.
   */
  onRemark(sentence: string, weight?: 'note' | 'warning', kind?: string): void;
  /** A message passed, as it was on the wire; of one that was let go for its size only the beginning. */
  onWire(direction: WireDirection, text: string, sizeBytes?: number): void;
}

export interface WireSendOptions extends TransportSendOptions {
  /** Called when the message is on its way; not where it provably is not. */
  onSent?: () => void;
  /** Goes out in place of its token. */
  content?: StreamedContent;
}

/** A transport as the pool needs it: its own file for each kind, one seam over all. */
export interface WireTransport extends Transport {
  readonly kind: TransportKind;
  listener: WireListener | null;
  /** The child's process id; null for a remote server. */
  readonly processId: number | null;
  /** Why it ended by itself; null while it is open and after `close()`. */
  readonly ending: ConnectFailure | null;
  /** It ends, and waits for answers that are on their way; absent where an end is at once. */
  readonly isDraining?: boolean;
  /** Why the last message was refused; null over stdio, where nothing refuses one. */
  readonly lastRefusal: WireRefusal | null;
  /** Bytes of messages that wait because the server does not read them; absent where nothing tells. */
  readonly unreadBytes?: number;
  /** What keeps the answer to this request from being read, where some of it came; of any request for null. */
  describeDelay?(id: RequestId | null): string | null;
  send(message: Parameters<Transport['send']>[0], options?: WireSendOptions): Promise<void>;
  /** The whole tool list was received: from now on no line is read but as it stands. */
  endSetUp(): void;
}

/** A refusal that a send ended with, read into a failure; `unread` when the server provably did not take the message. */
export class WireRefusal extends Error {
  constructor(
    readonly failure: ConnectFailure,
    readonly unread: boolean,
    readonly retryAfterMs: number | undefined,
    cause: unknown,
  ) {
    super(failure.message, { cause });
    this.name = 'WireRefusal';
  }
}
