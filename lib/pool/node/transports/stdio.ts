import type { Transport } from '@modelcontextprotocol/client';
import { toVisibleText, type Clock } from '@/lib/core';
import { explainFailure, type ConnectFailure, type Evidence } from '../..';
import type { ChildRecords } from '../child-records';
import type { PrintedLine } from '../connection';
import { endChild } from '../end';
import { LineCutter } from '../line-cutter';
import { LineRing } from '../line-ring';
import type { StartedChild } from '../spawn';
import { findGluedAnswer, parseFrame, toFrame, type Frame } from './frame';
import { findIdAtEnds, LineReader, type ReadLine } from './line-reader';
import type { WireListener, WireSendOptions, WireTransport } from './transport';
import { toSdkMessage } from './sdk-message';
import { findInvalidUtf8 } from './utf8';

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

const SALVAGED_METHODS: ReadonlySet<string> = new Set(['server/discover', 'initialize', 'tools/list']);
/** How long a dead child's output may still come in: its pipe may be held open by a grandchild. */
const DRAIN_MS = 250;
const LAST_WORDS = 20;
const BATCH_REVISION = '2025-03-26';

/** The protocol over a child's standard streams (product section 2.1). */
export class StdioTransport implements WireTransport {
  readonly kind = 'stdio';
  listener: WireListener | null = null;
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  ending: ConnectFailure | null = null;
  readonly lastRefusal = null;

  private readonly reader: LineReader;
  private readonly stderrLines = new LineRing();
  private readonly pendingSends = new Set<(error: Error) => void>();
  private readonly exited: Promise<{ exitCode: number | null; signal: string | null }>;
  private isSettingUp = true;
  private isFirstLine = true;
  private isOver = false;
  private revision: string | null = null;
  private closing: Promise<void> | null = null;

  constructor(private readonly options: StdioOptions) {
    const { process: child } = options.child;
    this.reader = new LineReader(options.limitBytes);
    this.exited = new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
    // Each pipe may break at any moment; without a listener that would end the console.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    this.keepStderr();
  }

  get processId(): number {
    return this.options.child.pid;
  }

  start(): Promise<void> {
    const { process: child } = this.options.child;
    child.stdout.on('data', (chunk: Buffer) => this.read(this.reader.push(chunk)));
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
    void this.exited.then(async (exit) => {
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
      if (this.isOver) return;
      this.read(this.reader.end());
      if (this.isOver) return;
      this.fail(explainFailure(this.isSettingUp ? 'exited_at_once' : 'exited', {
        stage: this.isSettingUp ? 'negotiate' : 'spawn',
        server: this.options.server,
        evidence: this.toEvidence(exit),
      }));
    });
    return Promise.resolve();
  }

  send(message: Parameters<Transport['send']>[0], options?: WireSendOptions): Promise<void> {
    if (this.isOver) return Promise.reject(new Error('the server is gone'));
    return new Promise((resolve, reject) => {
      this.pendingSends.add(reject);
      const text = JSON.stringify(message);
      this.listener?.onWire('sent', text);
      this.options.child.process.stdin.write(`${text}\n`, (error) => {
        const settle = () => {
          this.pendingSends.delete(reject);
          if (error) reject(error);
          else resolve();
        };
        // A pipe that broke is mostly a child that just ended: why is told by its exit, which comes a moment later.
        if (error) setTimeout(settle, 2 * DRAIN_MS);
        else settle();
      });
      options?.onSent?.();
    });
  }

  setProtocolVersion(version: string): void {
    this.revision = version;
  }

  endSetUp(): void {
    this.isSettingUp = false;
  }

  /** Resolves when no descendant of the child is left. */
  close(): Promise<void> {
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
    for (const reject of this.pendingSends) reject(new Error('the connection was closed'));
    this.pendingSends.clear();
    this.onclose?.();
  }

  private read(lines: readonly ReadLine[]): void {
    for (const line of lines) {
      if (this.isOver) return;
      if (line.kind === 'oversize') {
        this.listener?.onWire('received', line.head.toString('utf8'), line.sizeBytes);
        this.listener?.onTooLarge(findIdAtEnds(line.head, line.tail), line.sizeBytes, this.options.limitBytes);
      } else {
        this.readBytes(line.bytes, line.offset);
      }
    }
  }

  private readBytes(bytes: Buffer, offset: number): void {
    const invalidAt = findInvalidUtf8(bytes);
    if (invalidAt !== -1) {
      const byte = (bytes[invalidAt] ?? 0).toString(16).toUpperCase().padStart(2, '0');
      const said = `byte 0x${byte} at offset ${offset + invalidAt}`;
      this.fail(explainFailure('not_utf8', {
        stage: this.isSettingUp ? 'negotiate' : 'spawn', server: this.options.server, said, evidence: { ...this.toEvidence(null), detail: said },
      }));
      return;
    }
    const text = bytes.toString('utf8');
    const unmarked = this.isFirstLine && text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.isFirstLine = false;
    if (unmarked.trim() !== '') this.readText(unmarked);
  }

  private readText(text: string): void {
    const frame = parseFrame(text);
    if (frame.kind !== 'stray') {
      this.listener?.onWire('received', text);
      this.readFrame(frame, text);
      return;
    }
    this.listener?.onStray(text);
    if (!this.isSettingUp) return;
    const answer = findGluedAnswer(text);
    const method = answer === null ? undefined : this.listener?.findWaiting(answer.id);
    if (answer !== null && method !== undefined && SALVAGED_METHODS.has(method)) {
      this.listener?.onWire('received', text);
      this.onmessage?.(toSdkMessage(answer));
    }
  }

  private readFrame(frame: Exclude<Frame, { kind: 'stray' }>, text: string): void {
    switch (frame.kind) {
      case 'message':
        this.onmessage?.(toSdkMessage(frame.message));
        return;
      case 'unusable':
        this.listener?.onUnusable(frame.id, frame.reason, text);
        return;
      case 'batch':
        for (const element of frame.elements) this.readElement(element);
    }
  }

  private readElement(element: unknown): void {
    const text = JSON.stringify(element);
    const inner = toFrame(element);
    if (this.revision === BATCH_REVISION && inner.kind === 'message') this.onmessage?.(toSdkMessage(inner.message));
    else if (inner.kind === 'message' && 'id' in inner.message) {
      this.listener?.onUnusable(inner.message.id, `a batch, which only revision ${BATCH_REVISION} has`, text);
    } else if (inner.kind === 'unusable') this.listener?.onUnusable(inner.id, inner.reason, text);
    else this.listener?.onStray(text);
  }

  private keepStderr(): void {
    const cutter = new LineCutter();
    const { stderr } = this.options.child.process;
    const keep = (texts: readonly string[]) => {
      for (const text of texts) {
        const line: PrintedLine = { at: this.options.clock.now(), source: 'stderr', text: this.options.scrub(text) };
        this.stderrLines.add(line);
        this.options.onLine(line);
      }
    };
    stderr.on('data', (chunk: Buffer) => keep(cutter.push(chunk)));
    stderr.on('end', () => keep(cutter.end()));
  }

  private toEvidence(exit: { exitCode: number | null; signal: string | null } | null): Evidence {
    const stderr = this.stderrLines.list().slice(-LAST_WORDS).map((line) => toVisibleText(line.text));
    return exit === null ? { stderr } : { ...exit, stderr };
  }
}

