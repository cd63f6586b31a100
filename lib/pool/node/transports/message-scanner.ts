import type { RequestId } from './frame';

/** What the top level of a message says that is too large to be parsed. */
export interface ScannedMessage {
  /** It is a JSON object with a member `jsonrpc`; where it is not, the rest says nothing. */
  readonly claimsProtocol: boolean;
  /** null where it has none, or one that is neither a number nor a short text. */
  readonly id: RequestId | null;
  /** A request or a notification, so that its id is not that of an answer. */
  readonly hasMethod: boolean;
}

const NO_MESSAGE: ScannedMessage = { claimsProtocol: false, id: null, hasMethod: false };

/** An id, or one of the three names in escapes, is shorter; of anything longer only the beginning is held. */
const LONGEST_HELD_BYTES = 1_024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isOpening = (byte: number): boolean => byte === OPEN_BRACE || byte === 0x5b;
const isClosing = (byte: number): boolean => byte === CLOSE_BRACE || byte === 0x5d;

/** By byte, whether it may stand in JSON outside of texts, brackets and white space apart: numbers, true, false, null. */
const IN_SCALAR = new Uint8Array(256);
for (const character of '0123456789+-.eEtrufalsn') IN_SCALAR[character.charCodeAt(0)] = 1;

/** Where in the outermost object the next byte stands. */
type Place = 'start' | 'first name' | 'name' | 'colon' | 'value' | 'scalar' | 'after' | 'end';

/**
 * Reads the bytes of one JSON text as they come, in any pieces, and remembers of its outermost object the members
 * that say whose it is; nested and quoted ones are never taken. Holds some bytes, however long the text is. Not a
 * parser: a text that it takes for an object may be no valid JSON deeper down.
 */
export class MessageScanner {
  private place: Place = 'start';
  /** How many brackets are open. */
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private isBroken = false;
  /** The bytes of the name or value that is read now, where it may matter. */
  private held: number[] | null = null;
  private name = '';
  private readonly members = new Map<string, unknown>();

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.isBroken; ) at = this.isInText ? this.readText(bytes, at) : this.readStructure(bytes, at);
  }

  /** What was seen so far, of a text that need not be complete. */
  get seen(): ScannedMessage {
    if (this.isBroken || !this.members.has('jsonrpc')) return NO_MESSAGE;
    const id = this.members.get('id');
    return {
      claimsProtocol: true,
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      hasMethod: typeof this.members.get('method') === 'string',
    };
  }

  /** What the whole text was; of one that does not end with its object nothing is known. */
  end(): ScannedMessage {
    return this.place === 'end' ? this.seen : NO_MESSAGE;
  }

  /** Inside of quotation marks; returns where to go on. */
  private readText(bytes: Uint8Array, from: number): number {
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) {
        this.hold(bytes, from, at + 1);
        this.isInText = false;
        if (this.depth === 1) this.endText();
        return at + 1;
      } else if (byte < 0x20) {
        this.isBroken = true;
        return at;
      }
    }
    this.hold(bytes, from, at);
    return at;
  }

  private readStructure(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE && this.depth > 0) return this.beginText(at);
    if (this.depth > 1) return this.readNested(byte, at);
    switch (this.place) {
      case 'start':
        if (byte === OPEN_BRACE) {
          this.depth = 1;
          this.place = 'first name';
        } else this.isBroken = !isSpace(byte) && !BYTE_ORDER_MARK.has(byte);
        return at + 1;
      case 'first name':
        if (byte === CLOSE_BRACE) this.endObject();
        else this.isBroken = !isSpace(byte);
        return at + 1;
      case 'colon':
        if (byte === COLON) this.place = 'value';
        else this.isBroken = !isSpace(byte);
        return at + 1;
      case 'value':
        return isSpace(byte) ? at + 1 : this.beginValue(byte, at);
      case 'scalar':
        if (IN_SCALAR[byte] === 1) {
          this.hold(bytes, at, at + 1);
          return at + 1;
        }
        this.endValue();
        return at;
      case 'after':
        if (byte === COMMA) this.place = 'name';
        else if (byte === CLOSE_BRACE) this.endObject();
        else this.isBroken = !isSpace(byte);
        return at + 1;
      case 'name':
      case 'end':
        this.isBroken = !isSpace(byte);
        return at + 1;
    }
  }

  private readNested(byte: number, at: number): number {
    if (isOpening(byte)) this.depth += 1;
    else if (isClosing(byte)) {
      this.depth -= 1;
      if (this.depth === 1) this.place = 'after';
    } else this.isBroken = IN_SCALAR[byte] !== 1 && byte !== COMMA && byte !== COLON && !isSpace(byte);
    return at + 1;
  }

  private beginText(at: number): number {
    if (this.depth === 1) {
      if (this.place === 'first name' || this.place === 'name') this.held = [QUOTE];
      else if (this.place === 'value') this.held = this.isWanted() ? [QUOTE] : null;
      else this.isBroken = true;
    }
    this.isInText = true;
    return at + 1;
  }

  private endText(): void {
    if (this.place === 'value') return this.endValue();
    const name = this.takeHeld();
    this.name = typeof name === 'string' ? name : '';
    this.place = 'colon';
  }

  private beginValue(byte: number, at: number): number {
    if (isOpening(byte)) {
      this.depth = 2;
      if (this.isWanted()) this.members.set(this.name, null);
      return at + 1;
    }
    this.place = 'scalar';
    this.held = this.isWanted() ? [] : null;
    this.isBroken = IN_SCALAR[byte] !== 1;
    return at;
  }

  private endValue(): void {
    if (this.isWanted()) this.members.set(this.name, this.takeHeld());
    this.place = 'after';
  }

  private endObject(): void {
    this.depth = 0;
    this.place = 'end';
  }

  private isWanted(): boolean {
    return this.name === 'jsonrpc' || this.name === 'id' || this.name === 'method';
  }

  private hold(bytes: Uint8Array, from: number, to: number): void {
    if (this.held === null) return;
    for (let at = from; at < to && this.held.length <= LONGEST_HELD_BYTES; at += 1) this.held.push(bytes[at] ?? 0);
  }

  /** The name or value that was held; undefined where it is too long or no JSON. */
  private takeHeld(): unknown {
    const held = this.held ?? [];
    this.held = null;
    if (held.length > LONGEST_HELD_BYTES) return undefined;
    try {
      return JSON.parse(Buffer.from(held).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}
