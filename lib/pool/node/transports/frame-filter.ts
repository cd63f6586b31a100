import { MessageScanner, type ScannedMessage } from './message-scanner';

/** A message over the limit, let go while it came. */
export interface LargeMessage {
  readonly sizeBytes: number;
  readonly message: ScannedMessage;
  /** Its first part. */
  readonly begin: Buffer;
}

interface OpenMessage {
  sizeBytes: number;
  /** Reads what it is; of a message that comes in one frame within the limit nothing is scanned. */
  readonly scanner: MessageScanner | null;
  readonly opcode: number;
  /** Frames of it went on before it grew over the limit. */
  hasPassed: boolean;
  isLarge: boolean;
  begin: Buffer;
}

const BEGIN_BYTES = 2_000;
const LONGEST_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const FIN = 0x80;
const CONTINUATION = 0x0;
const FIRST_CONTROL = 0x8;
const LARGEST_CONTROL_BYTES = 125;

/**
 * Stands before the WebSocket library's reader, which knows only one answer to a message over its limit: to end the
 * connection, and with it every other call. Lets the bytes of the handshake and of all other frames through as they
 * are; of a message over the limit only an empty one of its kind, for which `take` tells at its turn what it stood for.
 * Whatever is no frame is left to the library, which says what is wrong with it. Holds some bytes, whatever comes.
 */
export class FrameFilter {
  private place: 'head' | 'frames' | 'through' = 'head';
  /** Of the handshake's answer, or of a frame's head, so far. */
  private held = Buffer.alloc(0);
  private payloadLeft = 0;
  private isControl = false;
  private isPassing = true;
  private isFinal = false;
  private open: OpenMessage | null = null;
  private readonly large = new Map<number, LargeMessage>();
  private passed = 0;
  private taken = 0;

  constructor(private readonly limitBytes: number) {}

  /** How much came of a message that was begun and has not ended; 0 where there is none. */
  get begunBytes(): number {
    const announced = this.isControl ? 0 : this.payloadLeft;
    return this.open === null ? 0 : this.open.sizeBytes - announced;
  }

  /** What the library is to read of these bytes. */
  push(chunk: Buffer): Buffer[] {
    const out: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.place === 'through') {
        out.push(rest);
        break;
      }
      rest = this.place === 'head' ? this.readHead(rest, out) : this.payloadLeft > 0 ? this.readPayload(rest, out) : this.readFrameHead(rest, out);
    }
    return out;
  }

  /** To be asked once for each message that the library gives out: what the next one stands for, null where for itself. */
  take(): LargeMessage | null {
    const found = this.large.get(this.taken) ?? null;
    this.large.delete(this.taken);
    this.taken += 1;
    return found;
  }

  /** Frames begin after the head of the 101; the heads of other 1xx answers may come before it. */
  private readHead(bytes: Buffer, out: Buffer[]): Buffer {
    const whole = Buffer.concat([this.held, bytes]);
    const end = whole.indexOf(HEAD_END);
    if (end === -1) {
      out.push(bytes);
      this.held = whole;
      if (whole.length > LONGEST_HEAD_BYTES) this.place = 'through';
      return bytes.subarray(bytes.length);
    }
    const taken = end + HEAD_END.length - this.held.length;
    out.push(bytes.subarray(0, taken));
    this.held = Buffer.alloc(0);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(whole.subarray(0, 12).toString('latin1'))?.[1] ?? '';
    if (status === '101') this.place = 'frames';
    else if (!status.startsWith('1')) this.place = 'through';
    return bytes.subarray(taken);
  }

  private readFrameHead(bytes: Buffer, out: Buffer[]): Buffer {
    const have = this.held.length;
    const short = ((have > 1 ? this.held[1] : bytes[1 - have]) ?? 0) & 0x7f;
    const headBytes = have + bytes.length < 2 ? 2 : short === 127 ? 10 : short === 126 ? 4 : 2;
    const head = Buffer.concat([this.held, bytes.subarray(0, headBytes - have)]);
    const rest = bytes.subarray(head.length - have);
    this.held = head;
    if (head.length < headBytes) return rest;
    this.held = Buffer.alloc(0);
    this.beginFrame(head, out);
    return rest;
  }

  private beginFrame(head: Buffer, out: Buffer[]): void {
    const [first = 0, second = 0] = head;
    const opcode = first & 0x0f;
    const size = head.length === 10 ? head.readBigUInt64BE(2) : BigInt(head.length === 4 ? head.readUInt16BE(2) : second);
    this.isControl = opcode >= FIRST_CONTROL;
    const isOdd = (first & 0x70) !== 0 || (second & 0x80) !== 0 || size > BigInt(Number.MAX_SAFE_INTEGER)
      || (this.isControl ? size > LARGEST_CONTROL_BYTES : opcode > 0x2 || (opcode === CONTINUATION) !== (this.open !== null));
    if (isOdd) return this.giveUp(head, out);
    this.payloadLeft = Number(size);
    this.isPassing = true;
    this.isFinal = false;
    if (this.isControl) {
      out.push(head);
      return;
    }
    this.isFinal = (first & FIN) !== 0;
    this.open ??= { sizeBytes: 0, scanner: this.isFinal && this.payloadLeft <= this.limitBytes ? null : new MessageScanner(), opcode, hasPassed: false, isLarge: false, begin: Buffer.alloc(0) };
    this.open.sizeBytes += this.payloadLeft;
    this.open.isLarge ||= this.open.sizeBytes > this.limitBytes;
    this.isPassing = !this.open.isLarge;
    this.open.hasPassed ||= this.isPassing;
    if (this.isPassing) out.push(head);
    if (this.payloadLeft === 0) this.endFrame(out);
  }

  /** Leaves the rest to the library; inside of a message that it was not shown, a frame goes before that it must refuse. */
  private giveUp(head: Buffer, out: Buffer[]): void {
    this.place = 'through';
    if (this.open !== null && !this.open.hasPassed) out.push(Buffer.from([FIN | CONTINUATION, 0]));
    out.push(head);
  }

  private readPayload(bytes: Buffer, out: Buffer[]): Buffer {
    const part = bytes.subarray(0, this.payloadLeft);
    this.payloadLeft -= part.length;
    if (this.isPassing) out.push(part);
    if (!this.isControl && this.open?.scanner) {
      this.open.scanner.push(part);
      const { begin } = this.open;
      if (begin.length < BEGIN_BYTES) this.open.begin = Buffer.concat([begin, part.subarray(0, BEGIN_BYTES - begin.length)]);
    }
    if (this.payloadLeft === 0) this.endFrame(out);
    return bytes.subarray(part.length);
  }

  private endFrame(out: Buffer[]): void {
    const { open } = this;
    if (!this.isFinal || open === null) return;
    if (open.isLarge) {
      out.push(Buffer.from([FIN | (open.hasPassed ? CONTINUATION : open.opcode), 0]));
      this.large.set(this.passed, { sizeBytes: open.sizeBytes, message: open.scanner?.end() ?? new MessageScanner().end(), begin: open.begin });
    }
    this.passed += 1;
    this.open = null;
    this.isFinal = false;
  }
}
