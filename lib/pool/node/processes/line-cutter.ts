import { StringDecoder } from 'node:string_decoder';
import { cutLine, LONGEST_LINE } from '../line-ring';

/** Cuts a program's log output into lines, each held to 4 KiB whatever comes; bytes that are no UTF-8 are shown as such. */
export class LineCutter {
  private readonly decoder = new StringDecoder('utf8');
  private line = '';

  push(chunk: Buffer): string[] {
    return this.cut(this.decoder.write(chunk));
  }

  /** What stood after the last newline. */
  end(): string[] {
    const lines = this.cut(this.decoder.end());
    return this.line === '' ? lines : [...lines, ...this.cut('\n')];
  }

  private cut(text: string): string[] {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => {
      const whole = this.append(part);
      this.line = '';
      return cutLine(whole.replace(/\r$/, ''));
    });
    this.line = this.append(last);
    return lines;
  }

  private append(part: string): string {
    return this.line.length >= LONGEST_LINE ? this.line : (this.line + part).slice(0, LONGEST_LINE);
  }
}
