import type { Transport } from '@modelcontextprotocol/client';
import { explainFailure, type ConnectFailure, type ConnectFailureCode } from '../..';
import { readChannelText, readLargeMessage, type Channel } from './channel-messages';
import { DecodeFailure } from './decode-body';
import { Dialer } from './dialer';
import { isResponse, parseFrame } from './frame';
import { listEvents } from './http-events';
import { readMessages, type MessageSink } from './http-messages';
import { followRedirects } from './http-redirect';
import { isOfProxy, REFUSAL_BODY_BYTES, toHttpFailure, toNetworkFailure, toRefusal, toSubject, type HttpAnswer, type Subject } from './http-refusal';
import { isEventStream } from './http-stream';
import { readBeginning, readBounded } from './read-bounded';
import type { RemoteOptions } from './remote-options';
import { toSdkMessage } from './sdk-message';
import { listSessionIds } from './session-secrets';
import { EventStreamReader, type ReadEvent } from './sse-reader';
import { ContentBrokenOff, StreamedText } from './streamed-content';
import { WireRefusal, type WireListener, type WireSendOptions, type WireTransport } from './transport';
import { NotUtf8 } from './utf8';

/** Failures after which nothing more can be expected of this connection. */
const ENDING_CODES: ReadonlySet<ConnectFailureCode> = new Set([
  'session_lost', 'unauthorized', 'refused', 'host_unknown', 'address_not_allowed', 'tls_untrusted', 'tls_expired', 'tls_not_yet_valid', 'tls_wrong_name',
  'tls_client_certificate',
]);
const REFUSAL_MS = 2_000;
/** How long a stream that named something that is no address may take to name one that is. */
const DOUBT_MS = 300;
/** How much of a named endpoint is quoted. */
const LONGEST_ENDPOINT = 200;
/** How long a cancellation that is on its way may take at a close. */
const LAST_POSTS_MS = 200;

type Message = Parameters<Transport['send']>[0];

/**
 * The older HTTP+SSE transport (revision 2024-11-05), which only the legacy era has: a stream opened by GET names the
 * endpoint that messages are posted to, and carries every answer. Nothing is sent to an endpoint of another origin.
 * The stream is the session: when it ends, so does the connection.
 */
export class SseTransport implements WireTransport, Channel, MessageSink {
  readonly kind = 'sse';
  readonly processId = null;
  listener: WireListener | null = null;
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  ending: ConnectFailure | null = null;
  lastRefusal: WireRefusal | null = null;
  revision: string | null = null;

  private readonly subject: Subject;
  private readonly dialer: Dialer;
  private readonly stream = new AbortController();
  private readonly posts = new Set<Promise<unknown>>();
  private readonly reader: EventStreamReader;
  private endpoint: URL | null = null;
  private hasAnswered = false;
  private onEndpoint: () => void = () => undefined;
  private closing: Promise<void> | null = null;

  constructor(private readonly options: RemoteOptions) {
    this.subject = toSubject(options);
    this.dialer = new Dialer(options);
    this.reader = new EventStreamReader(options.limitBytes);
  }

  /** Opens the stream and waits for it to name its endpoint; rejects with what was refused, or went wrong. */
  async start(): Promise<void> {
    try {
      const { response, url } = await this.openStream();
      const named = new Promise<void>((resolve) => (this.onEndpoint = resolve));
      await Promise.race([named, this.readStream(response, url)]);
    } catch (error) {
      if (this.closing === null) this.fail(error instanceof WireRefusal ? error.failure : toNetworkFailure(error, this.subject));
    }
    if (this.closing !== null) throw new WireRefusal(this.ending ?? this.toBroken('it was closed'), true, undefined, null);
  }

  setProtocolVersion(version: string): void {
    this.revision = version;
  }

  endSetUp(): void {
    // Nothing is salvaged here: an event has its message to itself.
  }

  describeDelay(): string | null {
    return this.reader.isMidEvent
      ? 'an event of the stream was begun and not ended, which may be it: the blank line that closes it did not come'
      : this.dialer.describeDelay();
  }

  /** Over one channel for all answers none is elsewhere. */
  isAnsweredElsewhere(): boolean {
    return false;
  }

  deliver(message: Parameters<typeof toSdkMessage>[0]): void {
    if (isResponse(message)) this.hasAnswered = true;
    this.onmessage?.(toSdkMessage(message));
  }

  send(message: Message, options?: WireSendOptions): Promise<void> {
    if (this.closing !== null || this.endpoint === null) return Promise.reject(new Error('the connection is not open'));
    const post = this.post(message, this.endpoint, options ?? {});
    this.posts.add(post);
    post.catch(() => undefined).finally(() => this.posts.delete(post));
    return post;
  }

  /** Lets go of the stream and every socket. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.onclose?.();
    this.onEndpoint();
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_POSTS_MS)));
    if (this.posts.size > 0) await Promise.race([Promise.allSettled([...this.posts].slice(-20)), bound]);
    clearTimeout(timer);
    this.stream.abort(new Error('the connection was closed'));
    this.dialer.close();
  }

  private fail(failure: ConnectFailure): void {
    if (this.closing !== null) return;
    this.ending = failure;
    void this.close();
  }

  private async openStream(): Promise<{ readonly response: Response; readonly url: URL }> {
    let url = this.options.url;
    const headers = this.toHeaders({ accept: 'text/event-stream' });
    const response = await followRedirects(url, 'GET', (target) => {
      url = target;
      return this.dialer.request(target, { method: 'GET', headers, body: null, signal: this.stream.signal, onSent: () => undefined });
    }, this.subject);
    const isStream = /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    if (response.ok && isStream) return { response, url };
    const answer = await this.readRefusal(response);
    if (!response.ok && !isOfProxy(answer, this.subject)) this.options.onPhase({ phase: 'answered', status: response.status });
    throw new WireRefusal(toHttpFailure(answer, this.subject), true, undefined, null);
  }

  /** Reads the stream to its end, which is the connection's. */
  private async readStream(response: Response, url: URL): Promise<void> {
    let why = 'the stream ended';
    try {
      for await (const read of listEvents(response, this.reader)) {
        if (this.closing !== null) return;
        this.readEvent(read, url);
      }
    } catch (error) {
      if (error instanceof NotUtf8) return this.fail(explainFailure('not_utf8', { stage: 'http', ...this.subject, said: error.where, evidence: { detail: error.where } }));
      why = `the stream broke off, ${error instanceof Error ? error.message : String(error)}`;
    }
    if (this.endpoint !== null) return this.fail(this.toBroken(why));
    this.fail(explainFailure('not_an_mcp_endpoint', { stage: 'http', ...this.subject, said: `${why} before it named an endpoint`, evidence: { httpStatus: response.status } }));
  }

  private readEvent(read: ReadEvent, url: URL): void {
    if (read.kind === 'oversize') readLargeMessage(read.scanned, read.beginning, read.sizeBytes, this.options.limitBytes, this);
    if (read.kind !== 'event') return;
    const { event, data } = read.event;
    if (event === 'endpoint') this.takeEndpoint(data.trim(), url);
    else if (event === 'message' && data !== '') readChannelText(data, this);
  }

  /** The first endpoint that is an address counts; whatever comes later could only lead astray. */
  private takeEndpoint(data: string, url: URL): void {
    if (this.endpoint !== null) return;
    if (!URL.canParse(data, url)) return this.doubtEndpoint(data, url);
    const endpoint = new URL(data, url);
    if (endpoint.origin !== url.origin) {
      // The origin of another scheme has no text of its own.
      const named = endpoint.origin === 'null' ? `"${data.split('?', 1)[0]?.slice(0, LONGEST_ENDPOINT)}"` : endpoint.origin;
      this.fail(explainFailure('endpoint_elsewhere', { stage: 'http', ...this.subject, said: `${named} instead of ${url.origin}` }));
      return;
    }
    this.endpoint = endpoint;
    this.options.onSession(listSessionIds(endpoint, url));
    this.onEndpoint();
  }

  /** What was named is no address: if no other follows right after it, none will. */
  private doubtEndpoint(data: string, url: URL): void {
    // Its query may hold the id of the session.
    const named = data.split('?', 1)[0]?.slice(0, LONGEST_ENDPOINT) ?? '';
    const said = `its stream names "${named}" as the endpoint to post to, which is no address at ${url.origin}`;
    setTimeout(() => {
      if (this.endpoint === null) this.fail(explainFailure('not_an_mcp_endpoint', { stage: 'http', ...this.subject, said, evidence: { detail: named } }));
    }, DOUBT_MS).unref();
  }

  /** Posts a message; resolves when the server has taken it, whatever it says to that. */
  private async post(message: Message, endpoint: URL, { onSent, content }: WireSendOptions): Promise<void> {
    const body = StreamedText.from(JSON.stringify(message), content);
    const headers = this.toHeaders({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.revision !== null && { 'mcp-protocol-version': this.revision }),
    });
    let isSent = false;
    const markSent = (): void => {
      if (isSent) return;
      isSent = true;
      if (typeof body === 'string') this.listener?.onWire('sent', body);
      else this.listener?.onWire('sent', body.summary, body.sizeBytes);
      onSent?.();
    };
    let refused: HttpAnswer | null = null;
    this.lastRefusal = null;
    try {
      const request = (target: URL) => this.dialer.request(target, { method: 'POST', headers, body, signal: null, onSent: markSent });
      const response = await followRedirects(endpoint, 'POST', request, this.subject);
      this.options.onPhase({ phase: 'answered', status: response.status });
      if (response.ok) {
        void this.takeAcceptance(response, message);
        return;
      }
      refused = await this.readRefusal(response);
      if (this.deliverRpcError(refused, message)) return;
      throw new Error(`HTTP ${response.status}`);
    } catch (error) {
      // Broken off by our own side: it says nothing of the server.
      if (error instanceof ContentBrokenOff) throw error;
      const refusal = error instanceof WireRefusal ? error : this.toRefusal(error, refused, isSent);
      this.lastRefusal = refusal;
      if (ENDING_CODES.has(refusal.failure.code)) setImmediate(() => this.fail(refusal.failure));
      throw refusal;
    }
  }

  /**
   * Nothing is due in the body of an accepted message; some servers put the answer there. What claims to be it and can
   * settle nothing ends the request; any other text is let go.
   */
  private async takeAcceptance(response: Response, message: Message): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined || isEventStream(response)) {
      await response.body?.cancel().catch(() => undefined);
      return;
    }
    const { limitBytes } = this.options;
    try {
      const { text, beginning, sizeBytes } = await readBounded(response, limitBytes);
      if (text !== null && !/^\s*[[{]/.test(text)) return;
      if (text !== null) readMessages(text, { kind: 'stream', id, hasStrayed: true }, this);
      else {
        this.listener?.onWire('received', beginning, sizeBytes);
        this.listener?.onTooLarge(id, sizeBytes, limitBytes);
      }
    } catch (error) {
      if (error instanceof DecodeFailure || error instanceof NotUtf8) this.listener?.onUnusable(id, error.message, '');
      // Of a body that broke off nothing is known: the answer may come over the stream.
    }
  }

  /** The headers of the entry, and those that the transport needs, whatever the entry says of them. */
  private toHeaders(own: Readonly<Record<string, string>>): Headers {
    const headers = new Headers(this.options.headers);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return headers;
  }

  private async readRefusal(response: Response): Promise<HttpAnswer> {
    const body = await readBeginning(response, REFUSAL_BODY_BYTES, REFUSAL_MS);
    this.listener?.onWire('received', `HTTP ${response.status} ${response.statusText}\n${body}`);
    return { status: response.status, headers: response.headers, body: this.options.scrub(body) };
  }

  /** A server may put its JSON-RPC error into the body of the status that it refuses with. */
  private deliverRpcError({ status, body }: HttpAnswer, message: Message): boolean {
    const frame = parseFrame(body);
    const isForUs = frame.kind === 'message' && isResponse(frame.message) && 'id' in message && String(frame.message.id) === String(message.id);
    if (!isForUs || !(status >= 500 || (status === 400 && !/session/i.test(body)))) return false;
    this.deliver(frame.message);
    return true;
  }

  private toRefusal(error: unknown, refused: HttpAnswer | null, isSent: boolean): WireRefusal {
    const isLost = refused?.status === 404 || (refused?.status === 400 && /session/i.test(refused.body));
    // Before the first answer there is no session that could be lost: then it is the endpoint that is none.
    if (!isLost || !this.hasAnswered) return toRefusal(error, refused, isSent, this.subject);
    return new WireRefusal(explainFailure('session_lost', { stage: 'http', ...this.subject, evidence: { httpStatus: refused.status } }), true, undefined, error);
  }

  private toBroken(said: string): ConnectFailure {
    return explainFailure('connection_reset', { stage: 'http', ...this.subject, said });
  }
}
