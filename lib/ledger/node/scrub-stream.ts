import { isSecretName, REDACTED, type Redactor } from '@/lib/core';

type TextRedactor = Pick<Redactor, 'text'>;

/** A longer text is scrubbed in parts of this size, in characters. */
const PART_CHARACTERS = 512 * 1024;
/** How far behind a cut it is looked whether a secret stands across it, in characters: longer than any shape of one. */
const AHEAD_CHARACTERS = 64 * 1024;
/** How many places for a cut are tried before more is read. */
const TRIED_CUTS = 4;

/**
 * Scrubs the JSON text of a value of any size in constant memory: what comes out is
 * `JSON.stringify(redactor.value(JSON.parse(text)))`. The text must be what JSON.stringify makes, without blanks.
 */
export class JsonScrubber {
  private text = '';
  private at = 0;
  private readonly open: ('object' | 'list')[] = [];
  private isKey = false;
  /** The member that a value stands in, to judge it by its name. */
  private name: string | null = null;
  /** Where the string that is being read begins in `text`; null outside of one. */
  private start: number | null = null;
  private long: LongText | null = null;

  constructor(private readonly redactor: TextRedactor) {}

  /** @returns what can be told of the value by now */
  push(chunk: string): string {
    const kept = this.start ?? this.at;
    this.text = this.text.slice(kept) + chunk;
    this.at -= kept;
    if (this.start !== null) this.start = 0;
    let out = '';
    for (let piece = this.read(false); piece !== null; piece = this.read(false)) out += piece;
    return out;
  }

  end(): string {
    let out = '';
    for (let piece = this.read(true); piece !== null; piece = this.read(true)) out += piece;
    return out;
  }

  /** The next part that is whole; null where more text is needed. */
  private read(isLast: boolean): string | null {
    if (this.start !== null) return this.readString();
    const character = this.text[this.at];
    if (character === undefined) return null;
    switch (character) {
      case '"':
        this.at += 1;
        this.start = this.at;
        return '';
      case '{':
      case '[':
        this.open.push(character === '{' ? 'object' : 'list');
        this.isKey = character === '{';
        this.name = null;
        break;
      case '}':
      case ']':
        this.open.pop();
        this.isKey = false;
        break;
      case ',':
        this.isKey = this.open.at(-1) === 'object';
        if (!this.isKey) this.name = null;
        break;
      case ':':
        break;
      default:
        return this.readLiteral(isLast);
    }
    this.at += 1;
    return character;
  }

  private readLiteral(isLast: boolean): string | null {
    const length = this.text.slice(this.at).search(/[,\]}]/);
    if (length < 0 && !isLast) return null;
    const literal = length < 0 ? this.text.slice(this.at) : this.text.slice(this.at, this.at + length);
    this.at += literal.length;
    const isHidden = this.isSecret() && !/^[tfn]/.test(literal);
    return isHidden ? JSON.stringify(REDACTED) : literal;
  }

  private readString(): string | null {
    const start = this.start ?? this.at;
    const end = this.findEnd();
    if (end === null) return this.at - start > PART_CHARACTERS ? this.readLongPart(start) : null;
    const raw = this.text.slice(start, end);
    this.start = null;
    this.at = end + 1;
    if (this.long !== null) {
      const rest = this.long.end(raw);
      this.long = null;
      return `${rest}"`;
    }
    if (this.isKey) {
      this.isKey = false;
      this.name = decode(raw);
      return `"${raw}"`;
    }
    return JSON.stringify(this.isSecret() ? REDACTED : this.redactor.text(decode(raw)));
  }

  /** Of a text that does not end yet, what was read of it is scrubbed as far as no secret can stand across the end. */
  private readLongPart(start: number): string {
    const raw = this.text.slice(start, this.at);
    this.start = this.at;
    const lead = this.long === null ? '"' : '';
    this.long ??= this.isSecret() ? new HiddenText() : new ScrubbedText(this.redactor);
    return lead + this.long.push(raw);
  }

  /** Moves on to the quotation mark that ends the string; null where it has not come, with `at` behind what is whole. */
  private findEnd(): number | null {
    for (;;) {
      SPECIAL.lastIndex = this.at;
      const found = SPECIAL.exec(this.text);
      if (found === null) {
        this.at = this.text.length;
        return null;
      }
      if (found[0] === '"') return found.index;
      const length = this.text[found.index + 1] === 'u' ? 6 : 2;
      this.at = found.index;
      if (found.index + length > this.text.length) return null;
      this.at += length;
    }
  }

  private isSecret(): boolean {
    return !this.isKey && this.open.at(-1) === 'object' && this.name !== null && isSecretName(this.name);
  }
}

const SPECIAL = /["\\]/g;

const decode = (raw: string): string => (raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw); // a JSON string is a text
const encode = (text: string): string => JSON.stringify(text).slice(1, -1);

interface LongText {
  push(raw: string): string;
  end(raw: string): string;
}

/** A long text in a field of a secret name. */
class HiddenText implements LongText {
  private isTold = false;

  push(): string {
    if (this.isTold) return '';
    this.isTold = true;
    return encode(REDACTED);
  }

  end(): string {
    return this.push();
  }
}

class ScrubbedText implements LongText {
  private held = '';
  /** Where no cut was found, twice as much is read before another is looked for. */
  private enough = 0;

  constructor(private readonly redactor: TextRedactor) {}

  push(raw: string): string {
    this.held += decode(raw);
    if (this.held.length < this.enough) return '';
    const cut = this.findCut();
    this.enough = cut === null ? 2 * this.held.length : 0;
    if (cut === null) return '';
    const part = this.held.slice(0, cut);
    this.held = this.held.slice(cut);
    return encode(this.redactor.text(part));
  }

  end(raw: string): string {
    return encode(this.redactor.text(this.held + decode(raw)));
  }

  /** A place where the parts scrub to what the whole does: no secret stands across it. */
  private findCut(): number | null {
    const { held, redactor } = this;
    let before = held.length - AHEAD_CHARACTERS;
    if (before <= 0) return null;
    const whole = redactor.text(held);
    for (let tried = 0; tried < TRIED_CUTS && before > 0; tried += 1) {
      const blank = held.lastIndexOf(' ', before);
      // Not between the halves of a character, which a shape may take in whole.
      const cut = blank > before - AHEAD_CHARACTERS && blank > 0 ? blank : before - (isHighSurrogate(held, before - 1) ? 1 : 0);
      if (redactor.text(held.slice(0, cut)) + redactor.text(held.slice(cut)) === whole) return cut;
      before = cut - AHEAD_CHARACTERS / 8;
    }
    return null;
  }
}

const isHighSurrogate = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
};
