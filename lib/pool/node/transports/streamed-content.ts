/**
 * A content that stands in a message by a token and goes out in its place, base64, while the message is written: a
 * message with a file of any size is never held as one string.
 */
export interface StreamedContent {
  /** What stands for it among the arguments; no other text of the message holds it. */
  readonly token: string;
  /** Of the content itself, before it is encoded. */
  readonly sizeBytes: number;
  /**
   * The content, afresh each time that the message is sent. What it throws breaks the sending off, so that the message
   * never becomes whole.
   */
  open(): AsyncIterable<Uint8Array>;
}

/** The content's own reader ended the sending. */
export class ContentBrokenOff extends Error {
  constructor(cause: unknown) {
    super('the content was not sent to its end', { cause });
    this.name = 'ContentBrokenOff';
  }
}

/** A message whose text has a content in its middle. */
export class StreamedText {
  private constructor(
    private readonly head: string,
    private readonly content: StreamedContent,
    private readonly tail: string,
  ) {}

  /** @returns the text itself where it does not hold the token */
  static from(text: string, content: StreamedContent | undefined): string | StreamedText {
    const at = content === undefined ? -1 : text.indexOf(content.token);
    return content === undefined || at === -1 ? text : new StreamedText(text.slice(0, at), content, text.slice(at + content.token.length));
  }

  get sizeBytes(): number {
    return Buffer.byteLength(this.head) + Math.ceil(this.content.sizeBytes / 3) * 4 + Buffer.byteLength(this.tail);
  }

  /** What is kept of it as what passed on the wire: the content is told by its size. */
  get summary(): string {
    return `${this.head}(${this.content.sizeBytes} bytes, base64)${this.tail}`;
  }

  /** Its parts in order. @throws ContentBrokenOff */
  async *parts(): AsyncGenerator<string> {
    yield this.head;
    let rest: Uint8Array = new Uint8Array();
    let read = 0;
    try {
      for await (const piece of this.content.open()) {
        read += piece.byteLength;
        if (read > this.content.sizeBytes) throw new Error('the content is longer than it was');
        const bytes = rest.byteLength === 0 ? asBuffer(piece) : Buffer.concat([rest, piece]);
        // Three bytes make four characters: only the last piece may be padded.
        const whole = bytes.byteLength - (bytes.byteLength % 3);
        rest = bytes.subarray(whole);
        if (whole > 0) yield bytes.toString('base64', 0, whole);
      }
      if (read < this.content.sizeBytes) throw new Error('the content is shorter than it was');
    } catch (cause) {
      throw new ContentBrokenOff(cause);
    }
    yield asBuffer(rest).toString('base64') + this.tail;
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
