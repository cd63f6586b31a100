import { MessageScanner, type ScannedMessage } from './message-scanner';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY_BYTES = 4_096;
/** Of a line over the limit, what is shown of it. */
const SHOWN_BYTES = 2_000;
/** A line this many times as long as a message may be has no end that anybody would wait for. */
const ENDLESS_FACTOR = 16;

export type ReadLine =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** Over the limit and let go; `begin` is its first part, `isEndless` of one that goes on and on. */
  | { readonly kind: 'oversize'; readonly sizeBytes: number; readonly message: ScannedMessage; readonly begin: Buffer; readonly isEndless: boolean };

/** A line that grew over the limit: of it nothing is held. */
interface LongLine {
  readonly scanner: MessageScanner;
  readonly begin: Buffer;
  sizeBytes: number;
  isTold: boolean;
}

/**
 * Cuts a stream of bytes into lines at 0x0A alone (U+2028 is text), without a carriage return before it and without
 * empty lines. Holds at most one line of `limitBytes`, however small the pieces are that it comes in; of a longer one
 * only its beginning and whose message it is. Linear in the input.
 */
export class LineReader {
  private held: Buffer = Buffer.alloc(0);
  private heldBytes = 0;
  private long: LongLine | null = null;

  constructor(private readonly limitBytes: number) {}

  push(chunk: Buffer): ReadLine[] {
    const lines: ReadLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.finish(chunk.subarray(from, at), lines);
      from = at + 1;
    }
    this.hold(chunk.subarray(from), lines);
    return lines;
  }

  /** The last line, where the stream ended without a newline. */
  end(): ReadLine[] {
    const lines: ReadLine[] = [];
    this.finish(Buffer.alloc(0), lines);
    return lines;
  }

  /** A line ends with this part. */
  private finish(part: Buffer, lines: ReadLine[]): void {
    if (this.long === null && this.heldBytes + part.length <= this.limitBytes) {
      // Most lines come whole and are not copied.
      if (this.heldBytes > 0) this.append(part);
      const whole = this.heldBytes > 0 ? this.held.subarray(0, this.heldBytes) : part;
      const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
      if (bytes.length > 0) lines.push({ kind: 'line', bytes });
      this.letGo();
      return;
    }
    const { scanner, begin, sizeBytes, isTold } = this.lengthen(part);
    if (!isTold) lines.push({ kind: 'oversize', sizeBytes, message: scanner.end(), begin, isEndless: false });
    this.long = null;
  }

  /** A line goes on after this part. */
  private hold(part: Buffer, lines: ReadLine[]): void {
    if (part.length === 0) return;
    if (this.long === null && this.heldBytes + part.length <= this.limitBytes) return this.append(part);
    const long = this.lengthen(part);
    if (long.isTold || long.sizeBytes <= ENDLESS_FACTOR * this.limitBytes) return;
    long.isTold = true;
    lines.push({ kind: 'oversize', sizeBytes: long.sizeBytes, message: long.scanner.seen, begin: long.begin, isEndless: true });
  }

  private lengthen(part: Buffer): LongLine {
    if (this.long === null) {
      const whole = this.held.subarray(0, this.heldBytes);
      const begin = Buffer.concat([whole.subarray(0, SHOWN_BYTES), part.subarray(0, Math.max(0, SHOWN_BYTES - whole.length))]);
      this.long = { scanner: new MessageScanner(), begin, sizeBytes: whole.length, isTold: false };
      this.long.scanner.push(whole);
      this.letGo();
    }
    this.long.scanner.push(part);
    this.long.sizeBytes += part.length;
    return this.long;
  }

  /** Copies into one buffer that doubles: a chunk kept as it is would hold more memory than it has bytes. */
  private append(part: Buffer): void {
    const neededBytes = this.heldBytes + part.length;
    if (neededBytes > this.held.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_CAPACITY_BYTES, neededBytes, Math.min(this.held.length * 2, this.limitBytes)));
      this.held.copy(grown, 0, 0, this.heldBytes);
      this.held = grown;
    }
    part.copy(this.held, this.heldBytes);
    this.heldBytes = neededBytes;
  }

  /** A line that was given out keeps its bytes: the next one gets a buffer of its own. */
  private letGo(): void {
    if (this.heldBytes === 0) return;
    this.held = Buffer.alloc(0);
    this.heldBytes = 0;
  }
}
