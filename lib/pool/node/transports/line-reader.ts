const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Enough of an oversize line to find the id of the request that it answers, at either end. */
const KEPT_ENDS_BYTES = 4_096;

export type ReadLine =
  | { readonly kind: 'line'; readonly bytes: Buffer; /** Of its first byte in the stream. */ readonly offset: number }
  | { readonly kind: 'oversize'; readonly sizeBytes: number; readonly head: Buffer; readonly tail: Buffer };

/**
 * Cuts a stream of bytes into lines at 0x0A alone (U+2028 is text), without a carriage return before it and without
 * empty lines. Holds at most one line of `limitBytes`; of a longer one only its ends and its size. Linear in the input.
 */
export class LineReader {
  private chunks: Buffer[] = [];
  private heldBytes = 0;
  private lineBytes = 0;
  private lineOffset = 0;
  private head: Buffer | null = null;
  private tail: Buffer = Buffer.alloc(0);

  constructor(private readonly limitBytes: number) {}

  push(chunk: Buffer): ReadLine[] {
    const lines: ReadLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.hold(chunk.subarray(from, at));
      this.finish(lines, 1);
      from = at + 1;
    }
    this.hold(chunk.subarray(from));
    return lines;
  }

  /** The last line, where the stream ended without a newline. */
  end(): ReadLine[] {
    const lines: ReadLine[] = [];
    this.finish(lines, 0);
    return lines;
  }

  private hold(part: Buffer): void {
    if (part.length === 0) return;
    this.lineBytes += part.length;
    if (this.head === null && this.lineBytes <= this.limitBytes) {
      this.chunks.push(part);
      this.heldBytes += part.length;
      return;
    }
    if (this.head === null) {
      const held = Buffer.concat([...this.chunks, part]);
      this.head = Buffer.from(held.subarray(0, KEPT_ENDS_BYTES));
      this.tail = Buffer.from(held.subarray(-KEPT_ENDS_BYTES));
      this.chunks = [];
      this.heldBytes = 0;
      return;
    }
    this.tail = Buffer.from(Buffer.concat([this.tail, part.subarray(-KEPT_ENDS_BYTES)]).subarray(-KEPT_ENDS_BYTES));
  }

  private finish(lines: ReadLine[], newlineBytes: number): void {
    if (this.head !== null) {
      lines.push({ kind: 'oversize', sizeBytes: this.lineBytes, head: this.head, tail: this.tail });
    } else {
      const [only] = this.chunks;
      const whole = this.chunks.length === 1 && only ? only : Buffer.concat(this.chunks, this.heldBytes);
      const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
      if (bytes.length > 0) lines.push({ kind: 'line', bytes, offset: this.lineOffset });
    }
    this.lineOffset += this.lineBytes + newlineBytes;
    this.chunks = [];
    this.heldBytes = 0;
    this.lineBytes = 0;
    this.head = null;
    this.tail = Buffer.alloc(0);
  }
}

const NUMBER_OR_TEXT = '(-?\\d+|"(?:[^"\\\\]|\\\\.){0,200}")';
const ID_IN_HEAD = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?"id"\\s*:\\s*${NUMBER_OR_TEXT}\\s*,`);
const ID_IN_TAIL = new RegExp(`"id"\\s*:\\s*${NUMBER_OR_TEXT}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`);

/** The id of a message too large to be parsed, read from its ends; null where it stands at neither. */
export function findIdAtEnds(head: Buffer, tail: Buffer): string | number | null {
  const found = ID_IN_HEAD.exec(head.toString('latin1')) ?? ID_IN_TAIL.exec(tail.toString('latin1'));
  if (found?.[1] === undefined) return null;
  const id: unknown = JSON.parse(found[1]);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
