import type { PrintedLine } from './connection';

/** Product section 2.1: the last 2,000 lines of a server, each cut at 4 KiB. */
export const MOST_LINES = 2_000;
/** In bytes; no line of so many characters takes fewer. */
export const LONGEST_LINE = 4_096;

/** The line cut at 4 KiB of UTF-8, at a character. */
export function cutLine(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const { read } = new TextEncoder().encodeInto(line, new Uint8Array(LONGEST_LINE));
  return line.slice(0, read);
}

/** The last lines of something that prints without end. */
export class LineRing {
  private readonly kept: PrintedLine[] = [];
  private oldest = 0;

  add(line: PrintedLine): void {
    if (this.kept.length < MOST_LINES) this.kept.push(line);
    else {
      this.kept[this.oldest] = line;
      this.oldest = (this.oldest + 1) % MOST_LINES;
    }
  }

  /** Oldest first. */
  list(): readonly PrintedLine[] {
    return [...this.kept.slice(this.oldest), ...this.kept.slice(0, this.oldest)];
  }
}
