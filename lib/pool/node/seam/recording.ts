import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client';
import { formatBytes, isNestedDeeperThan, type Clock, type JsonObject } from '@/lib/core';
import { explainFailure, findContentFault, type ConnectFailure, type WireDirection } from '../..';
import { toJsonObject, type Ask } from './ask';
import { InboundRequests } from './inbound-requests';
import { toLogText } from './log-text';
import { mendHandshake, namesModernRevision } from '../set-up/mend-handshake';
import { EMPTY_BATCH, isResponse, type RequestId, type WireMessage, type WireResponse } from '../transports/frame';
import { toSdkMessage } from '../transports/sdk-message';
import type { WireListener, WireRefusal, WireSendOptions, WireTransport } from '../transports/transport';

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

/** A request on the wire: one of ours, or (`ask` null) one of the library's own. */
interface Waiting {
  readonly method: string;
  readonly ask: Ask | null;
}

/** How many given-up requests are remembered, so that a late answer finds its call. */
const MOST_REMEMBERED = 1_000;
const LONGEST_QUOTE = 2_000;
const EMPTY_BATCH_MS = 1_000;
/** What is nested deeper cannot be walked, printed or kept. Of a list only the entries that are so deep are set aside. */
const DEEPEST = 1_000;
const TAKEN = { code: -32_603, message: 'taken at the recording transport' };
const CANCELLED_BY_SERVER = -32_800;

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
  /** From the first request sent to the first answer, ms. */
  latencyMs: number | null = null;
  /** What was wrong with an answer to a handshake. */
  handshakeFault: ConnectFailure | null = null;
  /** `initialize` was sent: the probe was given up, and an answer to it is late. */
  isProbeOver = false;
  /** `initialize` was answered with a result. */
  isInitialized = false;
  /** A modern server answered the probe after it was given up as silent. */
  sawLateDiscovery = false;

  private readonly asks = new AsyncLocalStorage<Ask>();
  private readonly waiting = new Map<string, Waiting>();
  /** Calls whose tasks go on, by the token of their progress. */
  private readonly tasks = new Map<string, Ask>();
  private readonly inbound: InboundRequests;
  /** What came and belonged to nothing: it is counted, and told once at the end. */
  private readonly ignored = { answers: 0, notes: 0 };
  /** Results of calls that are not as the protocol wants them: the first is told as it comes, their number at the end. */
  private faultyResults = 0;
  private firstSentAt: number | null = null;

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
    inner.onmessage = (message, extra) => this.receiveSafely(message, extra);
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
    return this.asks.run(ask, request);
  }

  async send(message: JSONRPCMessage, options?: WireSendOptions): Promise<void> {
    if (!('method' in message && 'id' in message)) {
      if (!('method' in message) && message.id !== undefined) this.inbound.settle(message.id);
      await this.inner.send(message, options);
      return;
    }
    const ask = this.asks.getStore() ?? null;
    const { id } = message;
    if (message.method === 'initialize') {
      this.isProbeOver = true;
      // What came of the probe is no matter any more.
      this.handshakeFault = null;
      queueMicrotask(() => this.inbound.release());
    }
    this.waiting.set(String(id), { method: message.method, ask });
    this.forgetOldest();
    const onSent = () => {
      this.firstSentAt ??= performance.now();
      ask?.markSent();
    };
    try {
      await this.inner.send(message, { ...options, onSent });
    } catch (error) {
      this.waiting.delete(String(id));
      ask?.fail(error, (cause) => this.toFailure(cause));
      throw error;
    }
  }

  findWaiting(id: RequestId): string | undefined {
    return this.waiting.get(String(id))?.method;
  }

  isBusy(): boolean {
    return this.listAsks().length > 0;
  }

  onUnusable(id: RequestId | null, reason: string, quoted: string): void {
    const quote = this.options.scrub(quoted.slice(0, LONGEST_QUOTE));
    this.options.onInvalid(`invalid message, ${reason}: ${quote}`);
    const found = this.findUnusableTarget(id);
    if (!found) return;
    const [key, waiting] = found;
    waiting.ask?.settle({ kind: 'protocol_error', message: reason, quoted: quote });
    if (waiting.ask === null) {
      this.handshakeFault ??= explainFailure('protocol_error', {
        stage: 'negotiate', server: this.options.server, said: `${waiting.method}: ${reason}`, evidence: { detail: reason, body: quote },
      });
    }
    this.tellOver(key, { code: -32_603, message: reason });
  }

  onInvalidRequest(id: RequestId | null, reason: string, quoted: string): void {
    this.options.onInvalid(`invalid message, ${reason}: ${this.options.scrub(quoted.slice(0, LONGEST_QUOTE))}`);
    if (!this.isModern) this.inbound.refuse(id, reason);
  }

  onTooLarge(id: RequestId | null, sizeBytes: number, limitBytes: number): void {
    this.options.onInvalid(`a message of ${formatBytes(sizeBytes)} was let go, the limit is ${formatBytes(limitBytes)}`);
    const found = id === null ? undefined : this.findUnusableTarget(id);
    if (!found) return;
    const [key, waiting] = found;
    waiting.ask?.settle({ kind: 'too_large', sizeBytes, limitBytes });
    this.tellOver(key, { code: -32_603, message: `a message of ${formatBytes(sizeBytes)} is over the limit` });
  }

  onStray(text: string): void {
    if (/^\s*\[\s*\]\s*$/.test(text.slice(0, LONGEST_QUOTE))) this.endByEmptyBatch(text);
    if (text.includes('"jsonrpc"')) for (const ask of this.listAsks()) ask.quoted ??= this.options.scrub(text.slice(0, LONGEST_QUOTE));
    this.options.onStray(text);
  }

  /** It may be all that comes for an answer, or text before it: the request ends where nothing better follows soon. */
  private endByEmptyBatch(text: string): void {
    const [key, waiting] = this.findUnusableTarget(null) ?? [];
    const end = () => key !== undefined && this.waiting.get(key) === waiting && this.onUnusable(key, EMPTY_BATCH, text);
    if (key !== undefined) setTimeout(end, EMPTY_BATCH_MS).unref();
  }

  onForeignAnswer(): void {
    this.ignored.answers += 1;
  }

  onStreamEnded(id: RequestId, why: string): void {
    const waiting = this.waiting.get(String(id));
    if (!waiting) return;
    const failure = explainFailure('connection_reset', { stage: 'http', server: this.options.server, said: why });
    if (waiting.ask === null) this.handshakeFault ??= failure;
    waiting.ask?.end(failure);
    this.tellOver(String(id), { code: -32_603, message: why });
  }

  onRefused(id: RequestId, refusal: WireRefusal): void {
    const waiting = this.waiting.get(String(id));
    this.waiting.delete(String(id));
    waiting?.ask?.fail(refusal, (cause) => this.toFailure(cause));
  }

  onBytes(id: RequestId): void {
    this.waiting.get(String(id))?.ask?.markBytes();
  }

  onDraining(): void {
    this.ondraining?.();
  }

  onRemark(sentence: string, weight: 'note' | 'warning' = 'note', kind = sentence): void {
    this.options.onRemark(sentence, weight, kind);
  }

  /** What keeps the answer to this request of ours from being read, where some of it came. */
  describeDelay(ask: Ask): string | null {
    for (const [id, waiting] of this.waiting) if (waiting.ask === ask) return this.inner.describeDelay?.(id) ?? null;
    return null;
  }

  onWire(direction: WireDirection, text: string, sizeBytes = Buffer.byteLength(text)): void {
    this.options.onWire(direction, text, sizeBytes);
  }

  /** The task of a call is over: nothing more is told of it. */
  endTask(ask: Ask): void {
    for (const [token, of] of this.tasks) if (of === ask) this.tasks.delete(token);
  }

  /**
   * A note for the call that it came up in. Where that cannot be told, for every call in flight: the protocol does not
   * say to which of them a log message belongs.
   */
  note(text: string): void {
    const own = this.asks.getStore();
    for (const ask of own && !own.isSettled ? [own] : this.listAsks()) ask.note('log', text);
  }

  /** A message that is nested deeper than the stack goes makes whoever walks it throw: that ends its request, nothing else. */
  private receiveSafely(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    try {
      this.receive(message, extra);
    } catch (error) {
      const reason = `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
      if (!('method' in message) && message.id !== undefined) this.onUnusable(message.id, reason, '');
      else this.onInvalidRequest('id' in message ? (message.id ?? null) : null, reason, '');
    }
  }

  private receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    // Our readers checked the envelope; the library's type says the same more narrowly.
    const wire = message as unknown as WireMessage;
    if (isResponse(wire)) this.receiveResponse(wire, extra);
    else if ('method' in message && 'id' in message) {
      if (this.isModern) this.inbound.ignore(message);
      else this.inbound.receive(message, extra);
    } else this.receiveNotification(wire.method, wire.params, () => this.onmessage?.(message, extra));
  }

  private receiveNotification(method: string, params: Readonly<Record<string, unknown>> | undefined, passOn: () => void): void {
    switch (method) {
      case 'notifications/progress': {
        const token = String(params?.progressToken);
        const ask = this.waiting.get(token)?.ask ?? this.tasks.get(token);
        if (ask) ask.progress(typeof params?.message === 'string' ? { ...params, message: this.options.hideSession(params.message) } : params);
        else this.ignored.notes += 1;
        return;
      }
      case 'notifications/message':
        this.note(this.options.hideSession(toLogText(params)));
        return;
      case 'notifications/cancelled': {
        const key = String(params?.requestId);
        const ask = this.waiting.get(key)?.ask;
        if (!ask) {
          const id = params?.requestId;
          if (typeof id === 'string' || typeof id === 'number') this.inbound.settle(id);
          return passOn();
        }
        const reason = typeof params?.reason === 'string' ? `: ${params.reason}` : '';
        ask.settle({ kind: 'rpc_error', code: CANCELLED_BY_SERVER, message: `the server cancelled the request${reason}`, data: null });
        return this.tellOver(key, TAKEN);
      }
      case 'notifications/tools/list_changed':
        this.options.onListChanged('tools');
        break;
      case 'notifications/resources/list_changed':
        this.options.onListChanged('resources');
        break;
      case 'notifications/prompts/list_changed':
        this.options.onListChanged('prompts');
        break;
    }
    passOn();
  }

  private receiveResponse(response: WireResponse, extra?: MessageExtraInfo): void {
    const key = String(response.id);
    const waiting = this.waiting.get(key);
    if (this.firstSentAt !== null) this.latencyMs ??= Math.round(performance.now() - this.firstSentAt);
    // A second answer to one request, or one to a request that never was: the first answer stands.
    if (!waiting) {
      this.ignored.answers += 1;
      return;
    }
    const { ask, method } = waiting;
    if (ask === null) {
      this.waiting.delete(key);
      if ('result' in response && method === 'initialize') this.isInitialized = true;
      if ('result' in response && method === 'server/discover') this.sawLateDiscovery ||= this.isProbeOver && namesModernRevision(response.result);
      this.onmessage?.(toSdkMessage('result' in response ? { ...response, result: mendHandshake(method, response.result) } : response), extra);
      return;
    }
    if (ask.isSettled) {
      this.waiting.delete(key);
      if ('result' in response) ask.late(response.result);
      return;
    }
    ask.markFirstByte();
    if (!method.endsWith('/list') && isNestedDeeperThan(response, DEEPEST)) return this.onUnusable(response.id, `it is nested more than ${DEEPEST} levels deep`, '');
    if ('result' in response && this.isModern && response.result.resultType === 'input_required') {
      this.waiting.delete(key);
      this.asks.run(ask, () => this.onmessage?.(toSdkMessage(response), extra));
      return;
    }
    if ('result' in response && ask.isTask) this.tasks.set(key, ask);
    if ('result' in response && method === 'tools/call') this.noteContent(toJsonObject(response.result));
    if ('result' in response) ask.settle({ kind: 'result', result: toJsonObject(response.result) });
    else ask.settle({ kind: 'rpc_error', code: response.error.code, message: this.options.hideSession(response.error.message), data: response.error.data ?? null });
    this.tellOver(key, 'error' in response ? response.error : TAKEN);
  }

  private noteContent(result: JsonObject): void {
    const fault = result.resultType === 'task' || 'task' in result ? null : findContentFault(result);
    if (fault === null) return;
    this.faultyResults += 1;
    this.onRemark(`it answers a call with a result that is not as the protocol wants it: ${fault}; such results are read as far as they go`, 'warning', 'content');
  }

  /** Tells the library's client that a request of its is over, so that it keeps no timer for it. */
  private tellOver(key: string, error: { readonly code: number; readonly message: string; readonly data?: unknown }): void {
    this.waiting.delete(key);
    const id = /^\d+$/.test(key) ? Number(key) : key;
    this.onmessage?.(toSdkMessage({ jsonrpc: '2.0', id, error }));
  }

  /** The request that an unusable answer ends: the one it names; without a name the only one that waits. */
  private findUnusableTarget(id: RequestId | null): readonly [string, Waiting] | undefined {
    const open = [...this.waiting].filter(([key, { ask, method }]) => !ask?.isSettled && method !== 'subscriptions/listen' && (id === null || key === String(id)));
    return open.length === 1 ? open[0] : undefined;
  }

  private listAsks(): Ask[] {
    return [...new Set([...this.waiting.values()].map(({ ask }) => ask))].filter((ask): ask is Ask => ask !== null && !ask.isSettled);
  }

  private forgetOldest(): void {
    if (this.waiting.size <= MOST_REMEMBERED) return;
    for (const [key, { ask }] of this.waiting) {
      if (!ask?.isSettled) continue;
      this.waiting.delete(key);
      return;
    }
  }

  private end(): void {
    const failure = this.inner.ending ?? this.toFailure(new Error('the console closed the connection'));
    for (const ask of this.listAsks()) ask.end(failure);
    this.waiting.clear();
    this.tasks.clear();
    this.tellIgnored();
    this.onclose?.();
  }

  private tellIgnored(): void {
    const { answers, notes } = this.ignored;
    const parts = [
      ...(answers > 0 ? [`${answers} ${answers === 1 ? 'answer' : 'answers'} that nothing waited for`] : []),
      ...(notes > 0 ? [`${notes} ${notes === 1 ? 'note' : 'notes'} of progress for no call`] : []),
    ];
    if (this.faultyResults > 1) this.options.onInvalid(`${this.faultyResults} results of calls were not as the protocol wants them while it was connected`);
    if (parts.length > 0) this.options.onInvalid(`${parts.join(' and ')} came and went while it was connected`);
  }

  private toFailure(cause: unknown): ConnectFailure {
    return this.inner.ending ?? explainFailure('connection_reset', {
      stage: 'negotiate', server: this.options.server, said: cause instanceof Error ? cause.message : String(cause),
    });
  }
}
