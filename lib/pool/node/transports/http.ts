import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { Redactor } from '@/lib/core';
import { explainFailure, type ConnectFailure } from '../..';
import { Dialer } from './dialer';
import { isResponse, type RequestId, type WireMessage } from './frame';
import { takeAnswer } from './http-answer';
import type { MessageSink } from './http-messages';
import { PushStream } from './http-push';
import { followRedirects } from './http-redirect';
import { isOfProxy, toNetworkFailure, toRefusal, toSubject, type Subject } from './http-refusal';
import { Sending } from './http-sending';
import { readAnswerStream, USUAL_PACING, type Pacing } from './http-stream';
import type { RemoteOptions } from './remote-options';
import { toSdkMessage } from './sdk-message';
import { ContentBrokenOff, StreamedText } from './streamed-content';
import { WireRefusal, type WireListener, type WireSendOptions, type WireTransport } from './transport';

/** Failures after which nothing more can be expected of this connection. */
const ENDING_CODES: ReadonlySet<ConnectFailure['code']> = new Set([
  'session_lost', 'no_shared_revision', 'unauthorized', 'refused', 'host_unknown', 'address_not_allowed', 'tls_untrusted', 'tls_expired', 'tls_not_yet_valid', 'tls_wrong_name',
  'tls_client_certificate',
]);
/** Refusals of the session or the account: they are of one request, and what the server is at already may still be answered. */
const DRAINING_CODES: ReadonlySet<ConnectFailure['code']> = new Set(['session_lost', 'no_shared_revision', 'unauthorized']);
const NEVER_ASKED_TWICE: ReadonlySet<ConnectFailure['code']> = new Set(['too_many_requests', 'proxy_in_the_way']);
const CLOSE_MS = 1_500;
/** How long a lost session waits for what else is on its way, so that each call hears for itself that it was refused. */
const LOSS_MS = 500;
/** Which message a request of the library's is made for; one storage for all transports, as `recording.ts` says. */
const CURRENT = new AsyncLocalStorage<{ readonly transport: HttpTransport; readonly sending: Sending }>();
const PUSH_PACING: Pacing = { firstMs: 1_000, longestMs: 300_000 };

/**
 * Streamable HTTP (product section 2.2). The library's transport composes the requests (session, version and the
 * modern era's headers); what comes back is read here, with the same rules as on stdio, so that the library is told 202
 * for each. The streams that need a GET of their own are opened here too.
 */
export class HttpTransport implements WireTransport, MessageSink {
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
  private readonly push: PushStream;
  /** The requests whose answers are awaited, by id. */
  private readonly sendings = new Map<string, Sending>();
  private readonly answeredElsewhere = new Set<string>();
  private readonly open = new Set<Promise<unknown>>();
  private readonly subject: Subject;
  private readonly over = new AbortController();
  private closing: Promise<void> | null = null;
  private losing: Promise<void> | null = null;
  private readonly refusedUnread = new Map<RequestId, WireRefusal>();

  constructor(
    private readonly options: RemoteOptions,
    private readonly pacing = { answers: USUAL_PACING, pushes: PUSH_PACING },
  ) {
    const { url, limitBytes } = options;
    this.subject = toSubject(options);
    this.dialer = new Dialer(options);
    this.inner = new StreamableHTTPClientTransport(url, {
      // Redirects are followed here: the library would follow more of them, and fewer kinds.
      requestInit: { headers: options.headers, redirect: 'manual' },
      fetch: (target, init) => this.fetch(new URL(target), init),
    });
    this.push = new PushStream({
      open: (lastEventId, signal) => this.openStream(lastEventId, signal),
      sink: this,
      limitBytes,
      pacing: pacing.pushes,
      remark: (sentence) => this.listener?.onRemark(sentence, 'note', sentence),
      onUnreachable: (error) => this.noticeUnreachable(error),
      onOver: () => this.endAnsweredElsewhere(),
    });
  }

  get revision(): string | null {
    return this.inner.protocolVersion ?? null;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  get isDraining(): boolean {
    return this.ending !== null && this.closing === null;
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

  describeDelay(id: RequestId | null): string | null {
    const sendings = id === null ? [...this.sendings.values()] : [this.sendings.get(String(id))];
    return sendings.map((sending) => sending?.describeDelay() ?? null).find((delay) => delay !== null) ?? this.dialer.describeDelay();
  }

  deliver(message: WireMessage): void {
    this.onmessage?.(toSdkMessage(message));
    // Its own stream may be another one, that waits for it still.
    if (!isResponse(message)) return;
    this.answeredElsewhere.delete(String(message.id));
    this.sendings.get(String(message.id))?.reopened?.abort();
  }

  isAnsweredElsewhere(id: RequestId): boolean {
    return this.answeredElsewhere.has(String(id));
  }

  async send(message: Parameters<Transport['send']>[0], options?: WireSendOptions): Promise<void> {
    const sending = new Sending(message, options?.onSent, this.inner.sessionId !== undefined, options?.content);
    if (sending.cancels !== null) this.sendings.get(String(sending.cancels))?.giveUp();
    if (sending.id !== null) this.sendings.set(String(sending.id), sending);
    this.lastRefusal = null;
    try {
      await this.follow(CURRENT.run({ transport: this, sending }, () => this.inner.send(message, options)));
    } catch (error) {
      this.forget(sending);
      // Broken off by our own side: it says nothing of the server.
      if (options?.requestSignal?.aborted || error instanceof ContentBrokenOff) throw error;
      throw await this.refuse(error, sending);
    }
    const reading = sending.read === null ? Promise.resolve() : this.follow(sending.read());
    void reading.catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error)))).then(() => {
      this.forget(sending);
      if (sending.read !== null) options?.onRequestStreamEnd?.();
    });
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
    this.push.close();
    this.over.abort();
    this.onclose?.();
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

  private follow<T>(work: Promise<T>): Promise<T> {
    this.open.add(work);
    work.catch(() => undefined).finally(() => this.open.delete(work));
    return work;
  }

  private forget({ id }: Sending): void {
    if (id !== null) this.sendings.delete(String(id));
    this.endDrained();
  }

  /** What a failed send means; ends the connection where it says that nothing more can come. */
  private async refuse(error: unknown, sending: Sending): Promise<unknown> {
    const refusal = this.toRefusal(error, sending);
    this.lastRefusal = refusal;
    const { code } = refusal.failure;
    // The library asks again with `initialize` after any status it does not know: not of who asks to be left alone.
    if (sending.isHandshake) return NEVER_ASKED_TWICE.has(code) ? refusal : error;
    if (code === 'session_lost') await this.loseSession(sending, refusal);
    else if (ENDING_CODES.has(code) || (code === 'connection_reset' && this.open.size <= 1)) this.failWith([[sending.id, refusal]], refusal.failure);
    return refusal;
  }

  private toRefusal(error: unknown, sending: Sending): WireRefusal {
    const { refused } = sending;
    const isSessionLost = sending.hadSession && (refused?.status === 404 || (refused?.status === 400 && /session/i.test(refused.body)));
    if (isSessionLost) {
      const failure = explainFailure('session_lost', { stage: 'http', ...this.subject, evidence: { httpStatus: refused.status } });
      return new WireRefusal(failure, true, undefined, error);
    }
    return error instanceof WireRefusal ? error : toRefusal(error, refused, sending.isSent, this.subject);
  }

  /** Waits a little for the other calls that are refused with it, so that all of them can be made again in a new session. */
  private loseSession({ id }: Sending, refusal: WireRefusal): Promise<void> {
    if (id !== null) this.refusedUnread.set(id, refusal);
    this.losing ??= (async () => {
      let timer: NodeJS.Timeout | undefined;
      const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, LOSS_MS)));
      await Promise.race([Promise.allSettled([...this.open]), bound]);
      clearTimeout(timer);
      this.failWith(this.refusedUnread, refusal.failure);
    })();
    return this.losing;
  }

  /** Ends the connection, and tells those that it ends for just before: what they do next finds it ended. */
  private failWith(refused: Iterable<readonly [RequestId | null, WireRefusal]>, failure: ConnectFailure): void {
    for (const [id, refusal] of refused) if (id !== null) this.listener?.onRefused(id, refusal);
    this.fail(failure);
  }

  private fail(failure: ConnectFailure): void {
    if (this.closing !== null) return;
    const isNew = this.ending === null;
    this.ending ??= failure;
    if (!DRAINING_CODES.has(failure.code) || this.listener?.isBusy() !== true) void this.close();
    else if (isNew) this.listener.onDraining?.();
  }

  /** The last answer that was waited for came, or its caller gave it up: looked at once that was told. */
  private endDrained(): void {
    if (!this.isDraining) return;
    setImmediate(() => {
      if (this.listener?.isBusy() !== true) void this.close();
    });
  }

  /** There is no push stream any more: what was to be answered over it never is. */
  private endAnsweredElsewhere(): void {
    for (const id of this.answeredElsewhere) {
      if (this.sendings.has(id)) continue;
      this.answeredElsewhere.delete(id);
      this.listener?.onUnusable(id, 'the server accepted the request (HTTP 202) and has no stream to answer it over', '');
    }
  }

  /** The push stream is how a server that dies while nobody calls is noticed. */
  private noticeUnreachable(error: unknown): void {
    const failure = toNetworkFailure(error, this.subject);
    if (failure.code === 'refused') this.fail(failure);
  }

  private async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET';
    if (method === 'GET') {
      // The library asks for the push stream once the session stands; from here on that is ours.
      this.push.start();
      return new Response(null, { status: 405 });
    }
    const current = CURRENT.getStore();
    const sending = current?.transport === this ? current.sending : undefined;
    const body = typeof init.body === 'string' ? StreamedText.from(init.body, sending?.content) : null;
    const signals = [init.signal, sending?.letGo].filter((signal) => signal instanceof AbortSignal);
    const response = await followRedirects(url, method, (target) => this.dialer.request(target, {
      method,
      headers: new Headers(init.headers),
      body,
      signal: signals.length === 0 ? null : AbortSignal.any(signals),
      onSent: () => this.markSent(sending, body),
    }), this.subject);
    if (method !== 'POST' || sending === undefined) return response;
    this.options.onSession([response.headers.get('mcp-session-id') ?? '']);
    const taken = await takeAnswer(response, sending, {
      ...this.options,
      subject: this.subject,
      sink: this,
      readStream: (stream, of) => this.readStream(stream, of),
      hasPushes: () => this.push.isOpen,
      withoutSession: (text) => this.withoutSession(text),
      onAnsweredElsewhere: ({ id }) => this.answeredElsewhere.add(String(id)),
    });
    if (sending.refused === null || !isOfProxy(sending.refused, this.subject)) this.options.onPhase({ phase: 'answered', status: response.status });
    return taken;
  }

  /** The id is as good as a password while the session lasts. */
  private withoutSession(text: string): string {
    const { sessionId } = this.inner;
    return sessionId === undefined ? text : new Redactor([sessionId]).withoutValues(text);
  }

  private markSent(sending: Sending | undefined, body: string | StreamedText | null): void {
    if (sending === undefined || sending.isSent) return;
    if (typeof body === 'string') this.listener?.onWire('sent', body);
    else if (body !== null) this.listener?.onWire('sent', body.summary, body.sizeBytes);
    sending.markSent();
  }

  private async readStream(response: Response, sending: Sending): Promise<void> {
    const { id } = sending;
    if (id === null) return;
    await readAnswerStream(response, {
      id,
      sending,
      sink: this,
      limitBytes: this.options.limitBytes,
      reopen: sending.isModern ? null : (lastEventId, signal) => this.openStream(lastEventId, signal),
      pacing: this.pacing.answers,
      onEndpoint: () => this.fail(explainFailure('legacy_transport', { stage: 'http', ...this.subject })),
      onDropped: () => this.answeredElsewhere.add(String(id)),
      signal: this.over.signal,
    });
    this.answeredElsewhere.delete(String(id));
  }

  /** A stream of the legacy era that is opened by GET: that of pushes, or after an event the one that the event was of. */
  private openStream(lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(this.options.headers);
    headers.set('accept', 'text/event-stream');
    const { sessionId, protocolVersion } = this.inner;
    if (sessionId !== undefined) headers.set('mcp-session-id', sessionId);
    if (protocolVersion !== undefined) headers.set('mcp-protocol-version', protocolVersion);
    // Any text is a valid id, while a header carries bytes.
    if (lastEventId !== null) headers.set('last-event-id', Buffer.from(lastEventId, 'utf8').toString('latin1'));
    const request = (url: URL) => this.dialer.request(url, { method: 'GET', headers, body: null, signal, onSent: () => undefined });
    return followRedirects(this.options.url, 'GET', request, this.subject);
  }
}
