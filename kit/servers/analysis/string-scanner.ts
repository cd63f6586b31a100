export const ENCODINGS = ['ascii', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A run of printable characters. */
export interface FoundString {
  readonly offset: number;
  readonly encoding: Encoding;
  /** The run, or its first `MAX_SHOWN` characters. */
  readonly text: string;
  /** Of the whole run, in characters. */
  readonly length: number;
}

export interface StringFilter {
  readonly minLength: number;
  readonly contains: string | undefined;
  readonly ignoreCase: boolean;
}

export const MAX_SHOWN = 1024;

/**
 * Beyond ASCII only Latin, Greek and Cyrillic letters count, in UTF-16: with every assigned character
 * almost any two bytes would be one, and binary data would read as Chinese.
 */
const PRINTABLE_RANGES: readonly (readonly [number, number])[] = [
  [0x09, 0x09],
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
];

const PRINTABLE = new Uint8Array(0x10000);
for (const [first, last] of PRINTABLE_RANGES) PRINTABLE.fill(1, first, last + 1);
// The last byte of a big-endian byte-order mark and the zero after it are no ÿ in little-endian text.
PRINTABLE[0xff] = 0;

/** A string that ended, and where in the file. */
interface EndedRun extends FoundString {
  readonly end: number;
  readonly matched: boolean;
}

/** Finds the strings of one encoding and, for UTF-16, of one alignment: it is looked for at even and at odd offsets. */
class Lane {
  /** The run in progress: where it began, how many characters it has, what of it is shown. */
  start = 0;
  units = 0;
  private shown = '';
  private matched = false;
  private tail = '';
  /** Bytes that belong to a character of the next chunk. */
  private rest = Buffer.alloc(0);
  private skip: number;

  constructor(
    readonly encoding: Encoding,
    alignment: 0 | 1,
    private readonly filter: StringFilter,
  ) {
    this.skip = alignment;
  }

  /** Reads a chunk that begins at `at` in the file; answers the runs that ended in it and are long enough. */
  scan(chunk: Buffer, at: number): EndedRun[] {
    const bytes = Buffer.concat([this.rest, chunk.subarray(this.skip)]);
    const base = at + this.skip - this.rest.length;
    this.skip = Math.max(0, this.skip - chunk.length);
    const width = this.encoding === 'ascii' ? 1 : 2;
    const end = bytes.length - (bytes.length % width);
    const low = this.encoding === 'utf-16be' ? 1 : 0;
    const ended: EndedRun[] = [];
    let from = this.units > 0 ? 0 : -1;
    for (let index = 0; index < end; index += width) {
      const unit = width === 1 ? asciiUnit(bytes[index] ?? 0) : (bytes[index + low] ?? 0) | ((bytes[index + 1 - low] ?? 0) << 8);
      if (PRINTABLE[unit] === 1) {
        if (from !== -1) continue;
        from = index;
        this.start = base + index;
      } else if (from !== -1) {
        if (this.units + (index - from) / width >= this.filter.minLength) {
          this.take(bytes.subarray(from, index));
          ended.push(this.toEnded(width));
        }
        this.reset();
        from = -1;
      }
    }
    if (from !== -1) this.take(bytes.subarray(from, end));
    this.rest = Buffer.from(bytes.subarray(end));
    return ended;
  }

  /** The run that the end of the file cut off, where it is long enough. */
  finish(): EndedRun[] {
    return this.units >= this.filter.minLength ? [this.toEnded(this.encoding === 'ascii' ? 1 : 2)] : [];
  }

  /** Adds to the run; `contains` is looked for in each piece and across the seam, so that a long run needs no memory. */
  private take(bytes: Buffer): void {
    const text = decode(bytes, this.encoding);
    this.units += text.length;
    if (this.shown.length < MAX_SHOWN) this.shown += text.slice(0, MAX_SHOWN - this.shown.length);
    const { contains, ignoreCase } = this.filter;
    if (this.matched || contains === undefined) {
      this.matched = true;
      return;
    }
    const looked = ignoreCase ? (this.tail + text).toLowerCase() : this.tail + text;
    this.matched = looked.includes(ignoreCase ? contains.toLowerCase() : contains);
    this.tail = contains.length > 1 ? looked.slice(1 - contains.length) : '';
  }

  private toEnded(width: number): EndedRun {
    const { start, encoding, shown, units, matched } = this;
    return { offset: start, encoding, text: shown, length: units, end: start + units * width, matched };
  }

  private reset(): void {
    this.units = 0;
    this.shown = '';
    this.matched = false;
    this.tail = '';
  }
}

/** A byte of no ASCII character is read as U+0000, which is not printable. */
const asciiUnit = (byte: number): number => (byte < 0x80 ? byte : 0);

function decode(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'ascii':
      return bytes.toString('latin1');
    case 'utf-16le':
      return bytes.toString('utf16le');
    case 'utf-16be':
      return Buffer.from(bytes).swap16().toString('utf16le');
  }
}

/** Reads chunks in order and reports each string once it has ended. */
export class StringScanner {
  private readonly lanes: readonly Lane[];
  private position = 0;
  /** UTF-16 runs that were reported and may still cast a shadow. */
  private reported: readonly EndedRun[] = [];

  constructor(
    encodings: readonly Encoding[],
    private readonly filter: StringFilter,
    private readonly report: (found: FoundString) => void,
  ) {
    this.lanes = encodings.flatMap((encoding) =>
      encoding === 'ascii' ? [new Lane(encoding, 0, filter)] : [new Lane(encoding, 0, filter), new Lane(encoding, 1, filter)],
    );
  }

  read(chunk: Buffer): void {
    const ended = this.lanes.flatMap((lane) => lane.scan(chunk, this.position));
    this.position += chunk.length;
    this.settle(ended, this.lanes.filter((lane) => lane.encoding !== 'ascii' && lane.units >= this.filter.minLength));
  }

  finish(): void {
    this.settle(this.lanes.flatMap((lane) => lane.finish()), []);
  }

  private settle(ended: EndedRun[], growing: readonly Lane[]): void {
    let wide = this.reported;
    for (const run of ended.sort((a, b) => a.offset - b.offset)) {
      if (run.encoding !== 'ascii') {
        // UTF-16 read in the other byte order, one byte on, is the same text again without its beginning.
        const isShadow =
          growing.some((lane) => lane.start < run.offset) || wide.some((other) => other.offset < run.offset && other.end > run.offset);
        if (isShadow) continue;
        wide = [...wide.filter((other) => other.end > run.offset), run];
      }
      if (run.matched) this.report({ offset: run.offset, encoding: run.encoding, text: run.text, length: run.length });
    }
    this.reported = wide;
  }
}
