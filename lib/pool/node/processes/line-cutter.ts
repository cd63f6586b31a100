import { StringDecoder } from 'node:string_decoder';
import { cutLine, LONGEST_LINE } from '../line-ring';

/** Read past what is kept: a secret that the cut parts would not be known any more. */
const HELD_LENGTH = 2 * LONGEST_LINE;
/** What is kept of the end of a long line that never ended: the last words of whoever wrote it. */
const TAIL_LENGTH = 1_000;

/**
 * Cuts a program's log output into lines, each held to 4 KiB whatever comes; bytes that are no UTF-8 are shown as such.
 * Of a longer line that has no end its last words are kept beside its beginning.
 */
export class LineCutter {
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  /** The end of a line that grew over what is held. */
  private tail = '';

  /** @param scrub takes secrets out of a line, before it is cut */
  constructor(private readonly scrub: (text: string) => string = (text) => text) {}

  push(chunk: Buffer): string[] {
    return this.cut(this.decoder.write(chunk));
  }

  /** What stood after the last newline. */
  end(): string[] {
    const lines = this.cut(this.decoder.end());
    const last = this.tail;
    if (this.line !== '') lines.push(...this.cut('\n'));
    return last === '' ? lines : [...lines, `…${this.scrub(last).slice(-TAIL_LENGTH)}`];
  }

  private cut(text: string): string[] {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => {
      this.append(part);
      const whole = this.line;
      this.line = '';
      this.tail = '';
      return cutLine(this.scrub(whole.replace(/\r$/, '')));
    });
    this.append(last);
    return lines;
  }

  private append(part: string): void {
    const room = HELD_LENGTH - this.line.length;
    this.line += part.slice(0, Math.max(0, room));
    if (part.length <= room) return;
    const rest = this.tail === '' ? this.line + part.slice(room) : this.tail + part;
    this.tail = rest.slice(-(TAIL_LENGTH + LONGEST_LINE));
  }
}
