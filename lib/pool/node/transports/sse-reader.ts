interface ServerEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

export type ReadEvent =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'retry'; readonly ms: number }
  | { readonly kind: 'oversize'; readonly sizeBytes: number };

/**
 * Reads an event stream by its grammar: lines end in LF, CRLF or CR, cut anywhere; several data lines are one value.
 * An event over `limitBytes` is let go with its size. Text is decoded as it comes, so a character may be cut too.
 */
export class EventStreamReader {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  private line = '';
  private lineSize = 0;
  private skipsNewline = false;
  private data: string[] = [];
  private name = '';
  private id: string | null = null;
  private sizeBytes = 0;

  constructor(private readonly limitBytes: number) {}

  push(chunk: Uint8Array): ReadEvent[] {
    return this.read(this.decoder.decode(chunk, { stream: true }));
  }

  /** An event whose closing blank line never came counts when the stream ends. */
  end(): ReadEvent[] {
    const events = this.read(this.decoder.decode());
    if (this.lineSize > 0) this.readLine(events);
    this.finish(events);
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
    this.lineSize += text.length;
    this.sizeBytes += text.length;
    if (this.sizeBytes <= this.limitBytes) this.line += text;
  }

  private readLine(events: ReadEvent[]): void {
    const { line, lineSize } = this;
    this.line = '';
    this.lineSize = 0;
    if (lineSize === 0) return this.finish(events);
    const colon = line.indexOf(':');
    if (colon === 0) {
      // A comment: keep-alives belong to no event.
      this.sizeBytes -= lineSize;
      return;
    }
    if (this.sizeBytes > this.limitBytes) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.name = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) events.push({ kind: 'retry', ms: Number(value) });
  }

  private finish(events: ReadEvent[]): void {
    const { data, name, id } = this;
    if (this.sizeBytes > this.limitBytes) events.push({ kind: 'oversize', sizeBytes: this.sizeBytes });
    else if (data.length > 0 || id !== null) events.push({ kind: 'event', event: { event: name || 'message', data: data.join('\n'), id } });
    this.reset();
  }

  private reset(): void {
    this.data = [];
    this.name = '';
    this.id = null;
    this.sizeBytes = 0;
  }
}
