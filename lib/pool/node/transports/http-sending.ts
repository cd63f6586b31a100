import { PROTOCOL_VERSION_META_KEY, type Transport } from '@modelcontextprotocol/client';
import { isObject } from '@/lib/core';
import type { RequestId } from './frame';
import type { HttpAnswer } from './http-refusal';
import type { EventStreamReader } from './sse-reader';
import type { StreamedContent } from './streamed-content';

type Message = Parameters<Transport['send']>[0];

/** What a message on its way out is: a notification or an answer has no id that something comes back for. */
interface Identity {
  readonly id: RequestId | null;
  readonly method: string | null;
}

function toIdentity(message: Message): Identity {
  if (!('method' in message)) return { id: null, method: null };
  return { id: 'id' in message ? toId(message.id) : null, method: message.method };
}

const toId = (id: unknown): RequestId | null => (typeof id === 'string' || typeof id === 'number' ? id : null);

const HANDSHAKES: ReadonlySet<string> = new Set(['server/discover', 'initialize']);
/** How long the answer to a call that was given up is still taken. */
const LATE_MS = 120_000;

/** One message on its way out, and what comes back for it. */
export class Sending {
  readonly id: RequestId | null;
  readonly method: string | null;
  /** Of the modern era: each request says by itself which revision it speaks. */
  readonly isModern: boolean;
  /** The request that this notification takes back. */
  readonly cancels: RequestId | null;
  isSent = false;
  /** The refusal, with its body. */
  refused: HttpAnswer | null = null;
  /** Reads the answer; run once the library has taken the session from its head. */
  read: (() => Promise<void>) | null = null;
  /** The stream that is read for the answer now. */
  events: EventStreamReader | null = null;
  /** Ends the opening and reading of the stream that was opened anew for the answer. */
  reopened: AbortController | null = null;
  /** How much came of an answer that is one body. */
  bodyBytes = 0;

  private readonly givingUp = new AbortController();
  private readonly lettingGo = new AbortController();

  constructor(
    message: Message,
    private readonly onSent: (() => void) | undefined,
    /** It goes out in a session that the server gave. */
    readonly hadSession: boolean,
    readonly content: StreamedContent | undefined = undefined,
  ) {
    const { id, method } = toIdentity(message);
    const params = 'method' in message && isObject(message.params) ? message.params : {};
    this.id = id;
    this.method = method;
    this.isModern = isObject(params._meta) && typeof params._meta[PROTOCOL_VERSION_META_KEY] === 'string';
    this.cancels = method === 'notifications/cancelled' ? toId(params.requestId) : null;
  }

  get isHandshake(): boolean {
    return this.method !== null && HANDSHAKES.has(this.method);
  }

  /** Fires when nobody waits for the answer any more: its stream is not opened again. */
  get givenUp(): AbortSignal {
    return this.givingUp.signal;
  }

  /** Fires when an answer would be too late even to be noted. */
  get letGo(): AbortSignal {
    return this.lettingGo.signal;
  }

  markSent(): void {
    if (this.isSent) return;
    this.isSent = true;
    this.onSent?.();
  }

  giveUp(): void {
    if (this.givingUp.signal.aborted) return;
    this.givingUp.abort();
    setTimeout(() => this.lettingGo.abort(), LATE_MS).unref();
  }

  /** What keeps the answer from being read, where it was begun; null where nothing of it came. */
  describeDelay(): string | null {
    if (this.events?.isMidEvent === true) return 'an event of the stream was begun and not ended: the blank line that closes it did not come';
    return this.bodyBytes > 0 ? `the answer was begun and not ended: ${this.bodyBytes} bytes of it came` : null;
  }
}
