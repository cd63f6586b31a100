import { MessageScanner, type ScannedMessage } from './message-scanner';
import { NotUtf8, Utf8Check } from './utf8';

export interface ServerEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

export type ReadEvent =
  /** `isUnfinished`: the stream ended before the blank line that closes it, so it may be cut anywhere. */
  | { readonly kind: 'event'; readonly event: ServerEvent; readonly isUnfinished?: true }
  | { readonly kind: 'retry'; readonly ms: number }
  /** An event over the limit, let go: its size, the beginning of its data, and what its message says of itself. */
  | { readonly kind: 'oversize'; readonly sizeBytes: number; readonly beginning: string; readonly id: string | null; readonly scanned: ScannedMessage };

/** How much is kept of an event that is let go. */
const BEGINNING_LENGTH = 2_000;
/** The longest that a timer can wait. */
const LONGEST_RETRY_MS = 2_147_483_647;

/**
 * Reads an event stream by its grammar: lines end in LF, CRLF or CR, cut anywhere; several data lines are one value.
 * An event over `limitBytes` is let go with its size; comments are never kept, however long. Text is decoded as it
 * comes, so a character may be cut too. From the first byte on that is no UTF-8 nothing is read any more.
 */
export class EventStreamReader {
  /** Set once a byte came that is no UTF-8; what was whole before it was given. */
  fault: NotUtf8 | null = null;
  private readonly utf8 = new Utf8Check();
  private readBytes = 0;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  /** The line that is being read, but for comments and what is over the limit. */
  private line = '';
  private lineBytes = 0;
  private isComment = false;
  private skipsNewline = false;
  private data: string[] = [];
  private name = '';
  private id: string | null = null;
  /** Of the finished lines of this event. */
  private eventBytes = 0;
  private letGo: { readonly beginning: string; readonly scanner: MessageScanner } | null = null;

  constructor(private readonly limitBytes: number) {}

  /** Whether an event was begun and its closing blank line has not come. */
  get isMidEvent(): boolean {
    return this.eventBytes > 0 || (this.lineBytes > 0 && !this.isComment);
  }

  push(chunk: Uint8Array): ReadEvent[] {
    if (this.fault !== null) return [];
    const invalid = this.utf8.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (invalid !== null) this.fault = new NotUtf8(invalid);
    const good = invalid === null ? chunk : chunk.subarray(0, Math.max(0, invalid.offset - this.readBytes));
    this.readBytes += chunk.byteLength;
    return this.read(this.decoder.decode(good, { stream: true }));
  }

  /** An event whose closing blank line never came is given, marked, when the stream ends. */
  end(): ReadEvent[] {
    if (this.fault !== null || this.utf8.isInsideCharacter) return [];
    const events = this.read(this.decoder.decode());
    if (this.lineBytes > 0) this.readLine(events);
    this.finish(events, true);
    return events;
  }

  private read(text: string): ReadEvent[] {
    const events: ReadEvent[] = [];
    let from = 0;
    const ends = /\r\n|\n|\r/g;
    const start = this.skipsNewline && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.skipsNewline = false;
    ends.lastIndex = from = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      this.append(text.slice(from, end.index));
      this.readLine(events);
      from = ends.lastIndex;
      // A CR at the cut may be the first half of a CRLF.
      this.skipsNewline = end[0] === '\r' && from === text.length;
    }
    this.append(text.slice(from));
    return events;
  }

  private append(text: string): void {
    if (text === '') return;
    if (this.lineBytes === 0) this.isComment = text.startsWith(':');
    this.lineBytes += Buffer.byteLength(text);
    if (this.isComment) return;
    if (this.letGo !== null) {
      this.letGo.scanner.push(Buffer.from(text));
      return;
    }
    this.line += text;
    if (this.eventBytes + this.lineBytes > this.limitBytes) this.giveUpEvent();
  }

  /** The event is over the limit: from here on only its size is kept, and what its message says of itself. */
  private giveUpEvent(): void {
    const data = [...this.data, ...(this.line.startsWith('data:') ? [valueOf(this.line)] : [])].join('\n');
    const scanner = new MessageScanner();
    scanner.push(Buffer.from(data));
    this.letGo = { beginning: data.slice(0, BEGINNING_LENGTH), scanner };
    this.data = [];
    this.line = '';
  }

  private readLine(events: ReadEvent[]): void {
    const { line, lineBytes, isComment } = this;
    this.line = '';
    this.lineBytes = 0;
    if (lineBytes === 0) return this.finish(events, false);
    if (isComment) return;
    this.eventBytes += lineBytes;
    if (this.letGo !== null) return;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : valueOf(line);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.name = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) events.push({ kind: 'retry', ms: Math.min(Number(value), LONGEST_RETRY_MS) });
  }

  private finish(events: ReadEvent[], isUnfinished: boolean): void {
    const { data, name, id, letGo } = this;
    if (letGo !== null) {
      events.push({ kind: 'oversize', sizeBytes: this.eventBytes, beginning: letGo.beginning, id, scanned: letGo.scanner.seen });
    } else if (data.length > 0 || id !== null) {
      const event: ServerEvent = { event: name || 'message', data: data.join('\n'), id };
      events.push(isUnfinished ? { kind: 'event', event, isUnfinished } : { kind: 'event', event });
    }
    this.reset();
  }

  private reset(): void {
    this.data = [];
    this.name = '';
    this.id = null;
    this.eventBytes = 0;
    this.letGo = null;
  }
}

/** What stands after the colon of a line, without the one space that may follow it. */
const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /, '');
