import type { Transport } from '@modelcontextprotocol/client';
import { formatBytes, toVisibleText, type Clock } from '@/lib/core';
import { explainFailure, type ConnectFailure, type ConnectFailureCode, type Evidence } from '../..';
import type { ChildRecords } from '../processes/child-records';
import type { PrintedLine } from '../connection';
import { endChild } from '../processes/end';
import { LineCutter } from '../processes/line-cutter';
import { LineRing } from '../line-ring';
import type { StartedChild } from '../processes/spawn';
import { ChildInput } from './child-input';
import { BATCH_REVISION, findGluedAnswer, IN_A_BATCH, isResponse, parseFrame, toFrame, type Frame, type WireMessage } from './frame';
import { LineReader, type ReadLine } from './line-reader';
import { WireRefusal, type WireListener, type WireSendOptions, type WireTransport } from './transport';
import { toSdkMessage } from './sdk-message';
import { describeInvalid, Utf8Check } from './utf8';

interface StdioOptions {
  readonly server: string;
  readonly child: StartedChild;
  readonly records: ChildRecords;
  readonly limitBytes: number;
  readonly clock: Clock;
  readonly onLine: (line: PrintedLine) => void;
  /** Takes secrets out of what the server prints. */
  readonly scrub: (text: string) => string;
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const SALVAGED_METHODS: ReadonlySet<string> = new Set(['server/discover', 'initialize', 'tools/list']);
/** How long a dead child's output may still come in: its pipe may be held open by a grandchild. */
const DRAIN_MS = 250;
/** How long a child may live on after its output ended: mostly it is on its way out. */
const OUTLIVES_OUTPUT_MS = 2_000;
const LAST_WORDS = 20;

/** The protocol over a child's standard streams (product section 2.1). */
export class StdioTransport implements WireTransport {
  readonly kind = 'stdio';
  listener: WireListener | null = null;
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  ending: ConnectFailure | null = null;
  readonly lastRefusal = null;

  private readonly input: ChildInput;
  private readonly reader: LineReader;
  private readonly utf8 = new Utf8Check();
  private receivedBytes = 0;
  private readonly stderrLines = new LineRing();
  private readonly stderrCutter: LineCutter;
  private readonly exited: Promise<Exit>;
  private isSettingUp = true;
  private isFirstLine = true;
  private hasReadFrame = false;
  private hasAnswered = false;
  private isOver = false;
  private revision: string | null = null;
  private outputTimer: NodeJS.Timeout | undefined;
  private closing: Promise<void> | null = null;

  constructor(private readonly options: StdioOptions) {
    const { process: child } = options.child;
    this.input = new ChildInput(child.stdin);
    this.reader = new LineReader(options.limitBytes);
    this.exited = new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
    // Each pipe may break at any moment; without a listener that would end the console.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    this.stderrCutter = new LineCutter(options.scrub);
    this.followStderr();
  }

  get processId(): number {
    return this.options.child.pid;
  }

  get unreadBytes(): number {
    return this.input.waitingBytes;
  }

  start(): Promise<void> {
    const { process: child } = this.options.child;
    child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    child.stdout.once('end', () => {
      if (this.isOver) return;
      this.outputTimer = setTimeout(() => this.fail(this.toFailure('output_closed', null)), OUTLIVES_OUTPUT_MS);
    });
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
    void this.exited.then(async (exit) => {
      clearTimeout(this.outputTimer);
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
      // A character that is cut off says only that the process ended in the middle of it.
      if (!this.isOver && !this.utf8.isInsideCharacter) this.read(this.reader.end());
      this.fail(this.toFailure(this.isSettingUp && !this.hasAnswered ? 'exited_at_once' : 'exited', exit));
    });
    return Promise.resolve();
  }

  async send(message: Parameters<Transport['send']>[0], options?: WireSendOptions): Promise<void> {
    if (this.isOver) throw new Error('the server is gone');
    if (this.input.isFull) throw this.toRefusal(`${formatBytes(this.unreadBytes)} wait for it already`, null);
    const text = JSON.stringify(message);
    this.listener?.onWire('sent', text);
    const written = this.input.write(`${text}\n`);
    options?.onSent?.();
    try {
      await written;
    } catch (cause) {
      throw this.isOver ? cause : this.toRefusal('it closed its standard input', cause);
    }
  }

  setProtocolVersion(version: string): void {
    this.revision = version;
  }

  endSetUp(): void {
    this.isSettingUp = false;
  }

  /** Resolves when no descendant of the child is left. */
  close(): Promise<void> {
    if (!this.isOver) this.keepStderr(this.stderrCutter.end());
    this.closing ??= endChild(this.options.child, this.options.records);
    this.finish();
    return this.closing;
  }

  private fail(failure: ConnectFailure): void {
    if (this.isOver) return;
    this.ending = failure;
    void this.close();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.outputTimer);
    this.input.end(new Error('the connection was closed'));
    this.onclose?.();
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    const invalid = this.utf8.push(chunk);
    // What came whole before the bad byte still counts.
    const good = invalid === null ? chunk : chunk.subarray(0, Math.max(0, invalid.offset - this.receivedBytes));
    this.receivedBytes += chunk.length;
    this.read(this.reader.push(good));
    if (invalid === null) return;
    this.fail(this.toFailure('not_utf8', null, describeInvalid(invalid)));
  }

  private read(lines: readonly ReadLine[]): void {
    for (const line of lines) {
      if (this.isOver) return;
      if (line.kind === 'line') this.readLine(line.bytes.toString('utf8'));
      else this.letGo(line);
      this.isFirstLine = false;
    }
  }

  private readLine(line: string): void {
    // While it is set up the mark may also come after other text, before the first frame.
    const mayBeMarked = this.isFirstLine || (this.isSettingUp && !this.hasReadFrame);
    const text = mayBeMarked && line.startsWith('\uFEFF') ? line.slice(1) : line;
    if (text.trim() === '') return;
    const frame = parseFrame(text);
    if (frame.kind !== 'stray') {
      this.hasReadFrame = true;
      this.listener?.onWire('received', text);
      this.readFrame(frame, text);
      return;
    }
    this.listener?.onStray(text);
    if (!this.isSettingUp) return;
    const answer = findGluedAnswer(text);
    const method = answer === null ? undefined : this.listener?.findWaiting(answer.id);
    if (answer === null || method === undefined || !SALVAGED_METHODS.has(method)) return;
    this.listener?.onWire('received', text);
    this.deliver(answer);
  }

  private readFrame(frame: Exclude<Frame, { kind: 'stray' }>, text: string): void {
    switch (frame.kind) {
      case 'message':
        this.deliver(frame.message);
        return;
      case 'unusable':
        this.readUnusable(frame, text);
        return;
      case 'batch':
        for (const element of frame.elements) this.readElement(element);
    }
  }

  private readUnusable({ isAnswer, id, reason }: Extract<Frame, { kind: 'unusable' }>, text: string): void {
    if (isAnswer) this.listener?.onUnusable(id, reason, text);
    else this.listener?.onInvalidRequest(id, reason, text);
  }

  private readElement(element: unknown): void {
    const text = JSON.stringify(element);
    const inner = toFrame(element);
    if (inner.kind === 'message' && this.revision === BATCH_REVISION) return this.deliver(inner.message);
    if (inner.kind === 'message') {
      const { message } = inner;
      const id = 'id' in message ? message.id : null;
      return this.readUnusable({ kind: 'unusable', isAnswer: isResponse(message), id, reason: IN_A_BATCH }, text);
    }
    if (inner.kind === 'unusable') return this.readUnusable(inner, text);
    this.listener?.onStray(text);
  }

  /** A line over the limit: only that it was there, and whose answer it was, is known. */
  private letGo(line: Extract<ReadLine, { kind: 'oversize' }>): void {
    const { sizeBytes, message } = line;
    const { limitBytes } = this.options;
    // It was cut at a byte, perhaps within a character.
    const begin = line.begin.toString('utf8').replace(/\uFFFD$/, '');
    if (message.claimsProtocol) {
      this.listener?.onWire('received', begin, sizeBytes);
      this.listener?.onTooLarge(message.hasMethod ? null : message.id, sizeBytes, limitBytes);
    } else this.listener?.onStray(begin);
    if (line.isEndless) {
      this.fail(this.toFailure('endless_line', null, `${formatBytes(sizeBytes)} so far, where a message may have ${formatBytes(limitBytes)}`));
    }
  }

  private deliver(message: WireMessage): void {
    if (isResponse(message)) this.hasAnswered = true;
    this.onmessage?.(toSdkMessage(message));
  }

  private followStderr(): void {
    const { stderr } = this.options.child.process;
    stderr.on('data', (chunk: Buffer) => this.keepStderr(this.stderrCutter.push(chunk)));
    stderr.on('end', () => this.keepStderr(this.stderrCutter.end()));
  }

  private keepStderr(texts: readonly string[]): void {
    for (const text of texts) {
      const line: PrintedLine = { at: this.options.clock.now(), source: 'stderr', text };
      this.stderrLines.add(line);
      this.options.onLine(line);
    }
  }

  private toRefusal(said: string, cause: unknown): WireRefusal {
    return new WireRefusal(this.toFailure('not_reading', null, said), true, undefined, cause);
  }

  private toFailure(code: ConnectFailureCode, exit: Exit | null, said?: string): ConnectFailure {
    // Its last words may have no end of a line, a question for a password say.
    this.keepStderr(this.stderrCutter.end());
    const stderr = this.stderrLines.list().slice(-LAST_WORDS).map((line) => toVisibleText(line.text));
    const evidence: Evidence = { stderr, ...exit, ...(said !== undefined && { detail: said }) };
    return explainFailure(code, { stage: this.isSettingUp ? 'negotiate' : 'spawn', server: this.options.server, said, evidence });
  }
}
