import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { explainFailure, type ConnectFailure } from '../..';
import { parseFrame, toFrame, type Frame, type RequestId } from './frame';
import { Dialer } from './dialer';
import { REFUSAL_BODY_BYTES, toHttpFailure, toNetworkFailure, toRefusal, type HttpAnswer } from './http-refusal';
import { readBounded } from './read-bounded';
import type { RemoteOptions } from './remote-options';
import { toSdkMessage } from './sdk-message';
import { EventStreamReader } from './sse-reader';
import { WireRefusal, type WireListener, type WireSendOptions, type WireTransport } from './transport';

/** One message on its way out, and what came back for it. */
interface Sending {
  readonly id: RequestId | null;
  readonly method: string | null;
  isSent: boolean;
  onSent: () => void;
  answer: HttpAnswer | null;
  /** Reads the answer; run once the library has taken the session from its head. */
  read: (() => Promise<void>) | null;
}

/** The id and method of a request; a notification or an answer has no id that something comes back for. */
function toIdentity(message: Parameters<Transport['send']>[0]): Pick<Sending, 'id' | 'method'> {
  if (!('method' in message)) return { id: null, method: null };
  return { id: 'id' in message && (typeof message.id === 'string' || typeof message.id === 'number') ? message.id : null, method: message.method };
}

const HANDSHAKES: ReadonlySet<string> = new Set(['server/discover', 'initialize']);
/** Failures after which nothing more can be expected of this connection. */
const ENDING_CODES: ReadonlySet<ConnectFailure['code']> = new Set([
  'session_lost', 'unauthorized', 'refused', 'host_unknown', 'address_not_allowed', 'tls_untrusted', 'tls_expired', 'tls_wrong_name',
]);
const CLOSE_MS = 1_500;
const LONGEST_REOPEN_MS = 300_000;

/**
 * Streamable HTTP (product section 2.2). The library's transport composes the requests (session, version and the
 * modern era's headers, redirects within the origin) and keeps the server's push stream open; answers are read here,
 * with the same rules as on stdio, so that the library is told 202 for each.
 */
export class HttpTransport implements WireTransport {
  readonly kind = 'http';
  readonly processId = null;
  readonly hasPerRequestStream = true;
  listener: WireListener | null = null;
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  ending: ConnectFailure | null = null;
  /** Why the last message was not answered; what a failed handshake is told by. */
  lastRefusal: WireRefusal | null = null;

  private readonly inner: StreamableHTTPClientTransport;
  private readonly dialer: Dialer;
  private readonly sendings = new AsyncLocalStorage<Sending>();
  private readonly open = new Set<Promise<unknown>>();
  private readonly subject: { readonly server: string; readonly address: string };
  private isOver = false;
  private closing: Promise<void> | null = null;
  private reopenings = 0;

  constructor(private readonly options: RemoteOptions) {
    const { url } = options;
    this.subject = { server: options.server, address: `${url.origin}${url.pathname}` };
    this.dialer = new Dialer(options);
    this.inner = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: options.headers },
      fetch: (target, init) => this.fetch(target, init),
      reconnectionOptions: { initialReconnectionDelay: 1_000, maxReconnectionDelay: LONGEST_REOPEN_MS, reconnectionDelayGrowFactor: 2, maxRetries: 5 },
      reconnectionScheduler: (reopen, delayMs) => this.scheduleReopening(reopen, delayMs),
    });
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    this.inner.onmessage = (message) => this.onmessage?.(message);
    this.inner.onerror = (error) => this.onerror?.(error);
    return this.inner.start();
  }

  endSetUp(): void {
    // Nothing is salvaged over HTTP: an answer has its body to itself.
  }

  async send(message: Parameters<Transport['send']>[0], options?: WireSendOptions): Promise<void> {
    const sending: Sending = {
      ...toIdentity(message),
      isSent: false,
      onSent: () => {
        if (sending.isSent) return;
        sending.isSent = true;
        options?.onSent?.();
      },
      answer: null,
      read: null,
    };
    this.lastRefusal = null;
    const sent = this.sendings.run(sending, () => this.inner.send(message, options));
    this.follow(sent);
    try {
      await sent;
    } catch (error) {
      if (options?.requestSignal?.aborted) throw error;
      throw this.refuse(error, sending);
    }
    const read = sending.read?.();
    if (read) {
      this.follow(read);
      void read.then(() => options?.onRequestStreamEnd?.());
    }
  }

  /** Tells the server that the session ends, where there is one, and lets go of every socket. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    const hadSession = this.inner.sessionId !== undefined && this.ending?.code !== 'session_lost';
    // A cancellation that is on its way should still arrive.
    const settled = Promise.allSettled([...this.open].slice(-20));
    this.finish();
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    const farewell = async () => {
      if (hadSession) await this.inner.terminateSession().catch(() => undefined);
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 200))]);
    };
    await Promise.race([farewell(), bound]);
    clearTimeout(timer);
    await this.inner.close().catch(() => undefined);
    this.dialer.close();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onclose?.();
  }

  private follow(work: Promise<unknown>): void {
    this.open.add(work);
    work.catch(() => undefined).finally(() => this.open.delete(work));
  }

  /** What a failed send means; ends the connection where it says that nothing more can come. */
  private refuse(error: unknown, sending: Sending): unknown {
    const isSessionLost =
      this.inner.sessionId !== undefined &&
      (sending.answer?.status === 404 || (sending.answer?.status === 400 && /session/i.test(sending.answer.body)));
    const refusal = isSessionLost
      ? new WireRefusal(explainFailure('session_lost', { stage: 'http', ...this.subject, evidence: { httpStatus: sending.answer?.status } }), true, undefined, error)
      : error instanceof WireRefusal ? error : toRefusal(error, sending.answer, sending.isSent, this.subject);
    this.lastRefusal = refusal;
    if (sending.method !== null && HANDSHAKES.has(sending.method)) return error;
    const { code } = refusal.failure;
    if (ENDING_CODES.has(code) || (code === 'connection_reset' && this.open.size <= 1)) setImmediate(() => this.fail(refusal.failure));
    return refusal;
  }

  private fail(failure: ConnectFailure): void {
    if (this.isOver) return;
    this.ending = failure;
    void this.close();
  }

  private async fetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const sending = this.sendings.getStore();
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? init.body : null;
    try {
      const response = await this.dialer.request(new URL(target), {
        method,
        headers: new Headers(init.headers),
        body,
        signal: init.signal ?? null,
        onSent: () => this.markSent(sending, body),
      });
      if (method === 'POST' && sending) {
        const taken = await this.takeAnswer(response, sending);
        this.options.onPhase({ phase: 'answered', status: response.status });
        return taken;
      }
      if (method === 'GET' && response.ok) return this.takePushes(response);
      return response;
    } catch (error) {
      // The push stream is how a server that dies while nobody calls is noticed.
      if (method === 'GET' && !this.isOver) {
        const failure = toNetworkFailure(error, this.subject);
        if (failure.code === 'refused') this.fail(failure);
      }
      throw error;
    }
  }

  private markSent(sending: Sending | undefined, body: string | null): void {
    if (sending === undefined || sending.isSent) return;
    if (body !== null) this.listener?.onWire('sent', body);
    sending.onSent();
  }

  /** Prepares the reading of an answer; what is returned lets the library go on, or raise its own error. */
  private async takeAnswer(response: Response, sending: Sending): Promise<Response> {
    const accepted = () => new Response(null, { status: 202, headers: response.headers });
    if (!response.ok) return this.takeRefusal(response, sending, accepted);
    const { id } = sending;
    const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (id === null || response.status === 202 || response.body === null) {
      await response.body?.cancel();
      if (id !== null && response.status !== 202) throw this.toNotMcp(response, 'the answer is empty');
      return accepted();
    }
    if (type === 'text/event-stream') {
      sending.read = () => this.readStream(response, id);
      return accepted();
    }
    const isJson = type === 'application/json';
    const body = await readBounded(response, isJson ? this.options.limitBytes : REFUSAL_BODY_BYTES);
    if (body.text === null) {
      if (!isJson) throw this.toNotMcp(response, '');
      this.listener?.onWire('received', '', body.sizeBytes);
      sending.read = () => Promise.resolve(this.listener?.onTooLarge(id, body.sizeBytes, this.options.limitBytes));
      return accepted();
    }
    const { text } = body;
    this.listener?.onWire('received', text);
    const frame = parseFrame(text);
    // The body is the whole answer: what is no message settles nothing, and on a handshake it is no endpoint of ours.
    const isMessage = frame.kind === 'message' || frame.kind === 'batch';
    if (!isJson && !isMessage) throw this.toNotMcp(response, text);
    if (frame.kind === 'stray') {
      if (sending.method !== null && HANDSHAKES.has(sending.method)) throw this.toNotMcp(response, text);
      sending.read = () => Promise.resolve(this.listener?.onUnusable(id, 'it is no JSON-RPC message', text));
      return accepted();
    }
    sending.read = () => Promise.resolve(this.readFrame(frame, text, id, false));
    return accepted();
  }

  private async takeRefusal(response: Response, sending: Sending, accepted: () => Response): Promise<Response> {
    const { text } = await readBounded(response, REFUSAL_BODY_BYTES);
    const body = text ?? '';
    sending.answer = { status: response.status, headers: response.headers, body: this.options.scrub(body) };
    this.listener?.onWire('received', `HTTP ${response.status} ${response.statusText}\n${body}`);
    const frame = parseFrame(body);
    const isForUs = frame.kind === 'message' && 'error' in frame.message && String(frame.message.id) === String(sending.id);
    // The status of a server that puts its JSON-RPC errors into one; refusals of the session or the account stay refusals.
    const isRpcError = isForUs && (response.status >= 500 || (response.status === 400 && !/session/i.test(body)));
    if (isRpcError) {
      sending.read = () => Promise.resolve(this.readFrame(frame, body, sending.id, false));
      return accepted();
    }
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  }

  private toNotMcp(response: Response, body: string): WireRefusal {
    const failure = toHttpFailure({ status: response.status, headers: response.headers, body: this.options.scrub(body) }, this.subject);
    return new WireRefusal(failure, false, undefined, null);
  }

  /** Reads a stream event by event until it ends; an end without the answer is told. */
  private async readStream(response: Response, id: RequestId): Promise<void> {
    try {
      for await (const read of this.listEvents(response)) {
        if (read.kind === 'oversize') this.listener?.onTooLarge(id, read.sizeBytes, this.options.limitBytes);
        else if (read.kind === 'event') this.readEvent(read.event.event, read.event.data, id);
        // Answered: the stream has nothing more for us, and leaving it lets go of it.
        if (this.listener?.findWaiting(id) === undefined) return;
      }
    } catch {
      // Told below: what matters is whether the answer came before the break.
    }
    this.listener?.onStreamEnded(id);
  }

  private async *listEvents(response: Response) {
    const reader = new EventStreamReader(this.options.limitBytes);
    const chunks = response.body;
    if (chunks === null) return;
    // Web streams are async iterable in Node; the DOM's declaration does not say so.
    for await (const chunk of chunks as unknown as AsyncIterable<Uint8Array>) yield* reader.push(chunk);
    yield* reader.end();
  }

  private readEvent(name: string, data: string, id: RequestId | null): void {
    if (name !== 'message' || data === '') return;
    this.listener?.onWire('received', data);
    const frame = parseFrame(data);
    this.readFrame(frame, data, id, true);
  }

  /** `id` is the request whose answer this should be; null on the push stream. */
  private readFrame(frame: Frame, text: string, id: RequestId | null, inStream: boolean): void {
    switch (frame.kind) {
      case 'message':
        this.onmessage?.(toSdkMessage(frame.message));
        return;
      case 'batch':
        for (const element of frame.elements) this.readFrame(toFrame(element), JSON.stringify(element), id, inStream);
        return;
      case 'unusable':
        this.listener?.onUnusable(frame.id ?? id, frame.reason, text);
        return;
      case 'stray':
        // A heartbeat settles nothing and claims nothing; something with a result or an error claims to be the answer,
        // and a body that is no stream has room for nothing else.
        if (id !== null && (!inStream || /"(?:error|result|jsonrpc)"\s*:/.test(text))) this.listener?.onUnusable(id, 'it is no JSON-RPC message', text);
        else this.listener?.onStray(text);
    }
  }

  /** Reads the push stream here and leaves to the library only the ids, by which it reopens the stream. */
  private takePushes(response: Response): Response {
    const events = this.listEvents(response);
    const encoder = new TextEncoder();
    const ids = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const next = await events.next();
        if (next.done) return controller.close();
        if (next.value.kind === 'retry') controller.enqueue(encoder.encode(`retry: ${next.value.ms}\n`));
        if (next.value.kind !== 'event') return;
        const { event, data, id } = next.value.event;
        this.reopenings = 0;
        this.readEvent(event, data, null);
        if (id !== null) controller.enqueue(encoder.encode(`event: seen\nid: ${id}\ndata: -\n\n`));
      },
      cancel: async () => {
        await events.return(undefined);
      },
    });
    return new Response(ids, { status: response.status, headers: response.headers });
  }

  /** Reopens the push stream ever more slowly while nothing comes over it. */
  private scheduleReopening(reopen: () => void, delayMs: number): () => void {
    this.reopenings += 1;
    const waitMs = Math.max(delayMs, Math.min(1_000 * 2 ** (this.reopenings - 1), LONGEST_REOPEN_MS));
    const timer = setTimeout(reopen, waitMs);
    timer.unref();
    return () => clearTimeout(timer);
  }
}
