import type { Clock } from '@/lib/core';
import { isObject, type JsonObject } from '@/lib/core';
import type { ConnectFailure } from '../..';
import type { WireAnswer, WireNote } from '../connection';
import type { StreamedContent } from '../transports/streamed-content';
import { WireRefusal } from '../transports/transport';

/** What whoever makes a request wants to hear of it while it is out. */
export interface AskListener {
  /** Goes out in place of its token among the arguments. */
  readonly content?: StreamedContent;
  onSent?(): void;
  onFirstByte?(): void;
  onBytes?(): void;
  onProgress?(note: WireNote): void;
  onLateAnswer?(result: JsonObject): void;
}

/**
 * One request of ours and what becomes of it. It may take several messages (multi-round-trip requests), and is
 * settled once: by its answer as it is on the wire, by its signal, or by the end of the connection.
 */
export class Ask {
  readonly answer: Promise<WireAnswer>;
  isSettled = false;
  isSent = false;
  /** A stray line that came meanwhile and looks like a lost answer. */
  quoted: string | null = null;
  private hasFirstByte = false;
  private resolve: (answer: WireAnswer) => void = () => undefined;

  constructor(
    readonly method: string,
    private readonly listener: AskListener,
    private readonly clock: Clock,
    /** Its answer may be a task (revision 2025-11-25), whose progress goes on after it. */
    readonly isTask = false,
  ) {
    this.answer = new Promise((resolve) => (this.resolve = resolve));
  }

  get content(): StreamedContent | undefined {
    return this.listener.content;
  }

  settle(answer: WireAnswer): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.resolve(answer);
  }

  markSent(): void {
    if (this.isSent) return;
    this.isSent = true;
    this.listener.onSent?.();
  }

  markFirstByte(): void {
    if (this.hasFirstByte || this.isSettled) return;
    this.hasFirstByte = true;
    this.listener.onFirstByte?.();
  }

  /** More of the answer came, where the transport can tell whose it is. */
  markBytes(): void {
    this.markFirstByte();
    if (!this.isSettled) this.listener.onBytes?.();
  }

  progress(params: Readonly<Record<string, unknown>> | undefined): void {
    const { progress, total, message } = params ?? {};
    this.note('progress', typeof message === 'string' ? message : '', typeof progress === 'number' ? progress : null, typeof total === 'number' ? total : null);
  }

  note(kind: WireNote['kind'], text: string, progress: number | null = null, total: number | null = null): void {
    if (this.isSettled && !this.isTask) return;
    this.markFirstByte();
    this.listener.onProgress?.({ at: this.clock.now(), kind, text, progress, total });
  }

  late(result: Readonly<Record<string, unknown>>): void {
    this.listener.onLateAnswer?.(toJsonObject(result));
  }

  /** The request could not be sent, or its sending ended badly. */
  fail(error: unknown, toFailure: (error: unknown) => ConnectFailure): void {
    if (error instanceof WireRefusal) {
      const { failure, unread, retryAfterMs } = error;
      if (unread) this.settle({ kind: 'not_sent', failure, retryAfterMs });
      else if (isRefused(failure)) this.settle({ kind: 'protocol_error', message: failure.message, quoted: failure.evidence.body ?? '', failure });
      else this.settle({ kind: 'lost', failure });
      return;
    }
    this.end(toFailure(error));
  }

  /** The connection ended. */
  end(failure: ConnectFailure): void {
    this.settle(this.isSent ? { kind: 'lost', failure } : { kind: 'not_sent', failure });
  }

  /** @param unreadBytes what the server has not read of its input @param heldUpBy what was begun of the answer and not ended */
  abort(unreadBytes = 0, heldUpBy: string | null = null): void {
    const seen = { ...(this.quoted !== null && { quoted: this.quoted }), ...(unreadBytes > 0 && { unreadBytes }), ...(heldUpBy !== null && { heldUpBy }) };
    this.settle({ kind: 'aborted', sent: this.isSent, ...seen });
  }
}

/** A status that says no; one of 500 and above may come from a proxy, after the server did the work. */
const isRefused = ({ evidence: { httpStatus } }: ConnectFailure): boolean => httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500;

/** A result off the wire as JSON: it was parsed from JSON, so that is what it is. */
export function toJsonObject(value: Readonly<Record<string, unknown>>): JsonObject {
  if (!isObject(value)) throw new TypeError('not an object');
  return value as JsonObject;
}
