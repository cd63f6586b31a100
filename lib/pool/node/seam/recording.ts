import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { formatBytes, type Clock } from '@/lib/core';
import { explainFailure, type ConnectFailure, type WireDirection } from '../..';
import { EMPTY_BATCH, type RequestId } from '../transports/frame';
import type { WireListener, WireRefusal, WireSendOptions, WireTransport } from '../transports/transport';
import type { Ask } from './ask';
import { Handshake } from './handshake';
import { InboundRequests } from './inbound-requests';
import { Incoming } from './incoming';
import { OpenRequests } from './open-requests';
import { sendOut } from './outgoing';

export interface RecordingOptions {
  readonly server: string;
  readonly clock: Clock;
  /** Takes secrets out of what is quoted. */
  readonly scrub: (text: string) => string;
  /** Takes the ids of the sessions out of what the server says. */
  readonly hideSession: (text: string) => string;
  readonly onStray: (text: string) => void;
  readonly onListChanged: (kind: 'tools' | 'resources' | 'prompts') => void;
  /** Something came that claims to be a message and is not a valid one. */
  readonly onInvalid: (sentence: string) => void;
  /** Something that is worth a line, or to be warned of; of a kind that is named once on each connection. */
  readonly onRemark: (sentence: string, weight: 'note' | 'warning', kind: string) => void;
  /** A message passed, as it was on the wire; not scrubbed. */
  readonly onWire: (direction: WireDirection, text: string, sizeBytes: number) => void;
}

/**
 * Which ask what runs now belongs to. One storage for all connections: on Node 20 every promise of the process walks
 * the list of storages, which made each call dearer by every server.
 */
const CURRENT = new AsyncLocalStorage<{ readonly transport: RecordingTransport; readonly ask: Ask }>();

const LONGEST_QUOTE = 2_000;
const EMPTY_BATCH_MS = 1_000;

/**
 * The seam between a transport and the library's client: sees the true wire in both directions. Results of our own
 * requests are taken here, whole, and the client is told only that the request is over: so nothing that its schemas
 * do not know is lost, and nothing large is validated twice. Handshakes pass through, mended.
 */
export class RecordingTransport implements Transport, WireListener {
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  /** The connection ends, and what is in flight may still be answered. */
  ondraining: (() => void) | null = null;
  /**
   * The library tells a stdio transport by these two: present where a probe may fall silent (stdio, WebSocket), absent
   * over HTTP (where silence is an outage).
   */
  declare readonly stderr?: null;
  declare readonly pid?: number | null;

  /** Whether answers may ask for input first: only the modern era has that. */
  isModern = false;
  readonly handshake = new Handshake();

  private readonly requests = new OpenRequests();
  private readonly inbound: InboundRequests;
  private readonly incoming: Incoming;

  constructor(
    readonly inner: WireTransport,
    private readonly options: RecordingOptions,
  ) {
    inner.listener = this;
    this.inbound = new InboundRequests({
      answer: (answer) => void inner.send({ jsonrpc: '2.0', ...answer }).catch(() => undefined),
      passOn: (request, extra) => this.onmessage?.(request, extra),
      onRemark: (sentence) => options.onInvalid(sentence),
    });
    this.incoming = new Incoming({
      requests: this.requests,
      inbound: this.inbound,
      handshake: this.handshake,
      isModern: () => this.isModern,
      passOn: (message, extra) => this.onmessage?.(message, extra),
      runAs: (ask, run) => this.run(ask, run),
      note: (text) => this.note(text),
      hideSession: options.hideSession,
      onListChanged: options.onListChanged,
      onUnusable: (id, reason) => this.onUnusable(id, reason, ''),
      onInvalidRequest: (id, reason) => this.onInvalidRequest(id, reason, ''),
      onRemark: options.onRemark,
    });
    inner.onmessage = (message, extra) => this.incoming.receive(message, extra);
    inner.onclose = () => this.end();
    inner.onerror = (error) => this.onerror?.(error);
    if (inner.kind === 'stdio' || inner.kind === 'websocket') Object.assign(this, { stderr: null, pid: inner.processId });
  }

  get hasPerRequestStream(): boolean | undefined {
    return this.inner.hasPerRequestStream;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Runs a request of the library's client as this ask: whatever it sends is accounted to it. */
  run<T>(ask: Ask, request: () => T): T {
    return CURRENT.run({ transport: this, ask }, request);
  }

  send(message: JSONRPCMessage, options?: WireSendOptions): Promise<void> {
    const { inner, requests, inbound, handshake } = this;
    const ask = this.findCurrent();
    return sendOut(message, options, { inner, ask, requests, inbound, handshake, toFailure: (cause) => this.toFailure(cause) });
  }

  findWaiting(id: RequestId): string | undefined {
    return this.requests.find(id)?.method;
  }

  isBusy(): boolean {
    return this.requests.listAsks().length > 0;
  }

  onUnusable(id: RequestId | null, reason: string, quoted: string): void {
    const quote = this.options.scrub(quoted.slice(0, LONGEST_QUOTE));
    this.options.onInvalid(`invalid message, ${reason}: ${quote}`);
    const found = this.requests.findUnusable(id);
    if (!found) return;
    const [key, waiting] = found;
    waiting.ask?.settle({ kind: 'protocol_error', message: reason, quoted: quote });
    if (waiting.ask === null) {
      this.handshake.fail(explainFailure('protocol_error', {
        stage: 'negotiate', server: this.options.server, said: `${waiting.method}: ${reason}`, evidence: { detail: reason, body: quote },
      }));
    }
    this.incoming.tellOver(key, { code: -32_603, message: reason });
  }

  onInvalidRequest(id: RequestId | null, reason: string, quoted: string): void {
    this.options.onInvalid(`invalid message, ${reason}: ${this.options.scrub(quoted.slice(0, LONGEST_QUOTE))}`);
    if (!this.isModern) this.inbound.refuse(id, reason);
  }

  onTooLarge(id: RequestId | null, sizeBytes: number, limitBytes: number): void {
    this.options.onInvalid(`a message of ${formatBytes(sizeBytes)} was let go, the limit is ${formatBytes(limitBytes)}`);
    const found = id === null ? undefined : this.requests.findUnusable(id);
    if (!found) return;
    const [key, waiting] = found;
    waiting.ask?.settle({ kind: 'too_large', sizeBytes, limitBytes });
    this.incoming.tellOver(key, { code: -32_603, message: `a message of ${formatBytes(sizeBytes)} is over the limit` });
  }

  onStray(text: string): void {
    if (/^\s*\[\s*\]\s*$/.test(text.slice(0, LONGEST_QUOTE))) this.endByEmptyBatch(text);
    if (text.includes('"jsonrpc"')) for (const ask of this.requests.listAsks()) ask.quoted ??= this.options.scrub(text.slice(0, LONGEST_QUOTE));
    this.options.onStray(text);
  }

  onForeignAnswer(): void {
    this.incoming.countForeignAnswer();
  }

  onStreamEnded(id: RequestId, why: string): void {
    const waiting = this.requests.find(id);
    if (!waiting) return;
    const failure = explainFailure('connection_reset', { stage: 'http', server: this.options.server, said: why });
    if (waiting.ask === null) this.handshake.fail(failure);
    waiting.ask?.end(failure);
    this.incoming.tellOver(String(id), { code: -32_603, message: why });
  }

  onRefused(id: RequestId, refusal: WireRefusal): void {
    const waiting = this.requests.find(id);
    this.requests.remove(id);
    waiting?.ask?.fail(refusal, (cause) => this.toFailure(cause));
  }

  onBytes(id: RequestId): void {
    this.requests.find(id)?.ask?.markBytes();
  }

  onDraining(): void {
    this.ondraining?.();
  }

  onRemark(sentence: string, weight: 'note' | 'warning' = 'note', kind = sentence): void {
    this.options.onRemark(sentence, weight, kind);
  }

  onWire(direction: WireDirection, text: string, sizeBytes = Buffer.byteLength(text)): void {
    this.options.onWire(direction, text, sizeBytes);
  }

  /** What keeps the answer to this request of ours from being read, where some of it came. */
  describeDelay(ask: Ask): string | null {
    const id = this.requests.idOf(ask);
    return id === null ? null : (this.inner.describeDelay?.(id) ?? null);
  }

  /** The task of a call is over: nothing more is told of it. */
  endTask(ask: Ask): void {
    this.requests.endTask(ask);
  }

  /**
   * A note for the call that it came up in. Where that cannot be told, for every call in flight: the protocol does not
   * say to which of them a log message belongs.
   */
  note(text: string): void {
    const own = this.findCurrent();
    for (const ask of own && !own.isSettled ? [own] : this.requests.listAsks()) ask.note('log', text);
  }

  private findCurrent(): Ask | null {
    const current = CURRENT.getStore();
    return current?.transport === this ? current.ask : null;
  }

  /** It may be all that comes for an answer, or text before it: the request ends where nothing better follows soon. */
  private endByEmptyBatch(text: string): void {
    const [key, waiting] = this.requests.findUnusable(null) ?? [];
    const end = () => key !== undefined && this.requests.find(key) === waiting && this.onUnusable(key, EMPTY_BATCH, text);
    if (key !== undefined) setTimeout(end, EMPTY_BATCH_MS).unref();
  }

  private end(): void {
    const failure = this.inner.ending ?? this.toFailure(new Error('the console closed the connection'));
    for (const ask of this.requests.listAsks()) ask.end(failure);
    this.requests.clear();
    for (const sentence of this.incoming.describeCounted()) this.options.onInvalid(sentence);
    this.onclose?.();
  }

  private toFailure(cause: unknown): ConnectFailure {
    return this.inner.ending ?? explainFailure('connection_reset', {
      stage: 'negotiate', server: this.options.server, said: cause instanceof Error ? cause.message : String(cause),
    });
  }
}
