import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Transport } from '@modelcontextprotocol/client';
import WebSocket from 'ws';
import { formatBytes, formatDuration } from '@/lib/core';
import { explainFailure, type ConnectFailure } from '../..';
import { readChannelText, readLargeMessage, type Channel } from './channel-messages';
import { INVALID_DATA, NORMAL, toCloseFailure, UNSUPPORTED_DATA } from './close-codes';
import { toResponse, type DialPhase } from './dialer';
import { FrameFilter } from './frame-filter';
import { GatedSocket } from './gated-socket';
import { Heartbeat } from './heartbeat';
import { isRedirect, toRedirectRefusal } from './http-redirect';
import { REFUSAL_BODY_BYTES, toHttpFailure, toNetworkFailure, toSubject, type Subject } from './http-refusal';
import { openSocket } from './open-socket';
import { readBeginning } from './read-bounded';
import type { RemoteOptions } from './remote-options';
import { toSdkMessage } from './sdk-message';
import { StreamedText } from './streamed-content';
import { WireRefusal, type WireListener, type WireSendOptions, type WireTransport } from './transport';
import { toDeafTunnel } from './tunnel';
import { describeInvalid, findInvalidUtf8 } from './utf8';

const SUBPROTOCOL = 'mcp';
/** More than this is not kept for a server that does not read; one message always finds room. */
const MOST_WAITING_BYTES = 16 * 1_048_576;
const REFUSAL_MS = 2_000;

interface WebSocketPace {
  /** Between two pings; a peer that is silent on one for as long is dead. */
  readonly pingEveryMs: number;
  /** How long a closing handshake may take, whoever began it. */
  readonly closeMs: number;
}

const USUAL_PACE: WebSocketPace = { pingEveryMs: 30_000, closeMs: 1_000 };

/**
 * WebSocket: each message is one text frame. Requires the subprotocol `mcp`; a binary message ends the connection
 * (1003). There is no session to go on with, so what is in flight at a close is lost.
 *
 * The library's own limit on a message ends the connection (1009), and with it calls that have nothing to do with
 * that message. So it is turned off, and a filter before the library lets go of what is too large; compression is
 * not offered, for then the filter could not tell.
 */
export class WebSocketTransport implements WireTransport, Channel {
  readonly kind = 'websocket';
  readonly processId = null;
  readonly lastRefusal = null;
  listener: WireListener | null = null;
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  ending: ConnectFailure | null = null;
  revision: string | null = null;

  private readonly subject: Subject;
  private readonly filter: FrameFilter;
  private readonly dialling = new AbortController();
  private readonly pendingSends = new Set<(error: Error) => void>();
  private socket: WebSocket | null = null;
  private heartbeat: Heartbeat | null = null;
  /** The proxy that was asked for the connection and has not given it. */
  private awaitedTunnel: URL | null = null;
  /** Messages of which one goes out in parts: whatever is sent meanwhile waits for its turn. */
  private streaming: Promise<void> | null = null;
  private isOver = false;
  private closing: Promise<void> | null = null;

  constructor(
    private readonly options: RemoteOptions,
    private readonly pace: WebSocketPace = USUAL_PACE,
  ) {
    this.subject = toSubject(options);
    this.filter = new FrameFilter(options.limitBytes);
  }

  /** Bytes that were written and that the server has not taken. */
  get unreadBytes(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** Opens the connection; rejects with what it was refused for. */
  async start(): Promise<void> {
    const { url, proxy } = this.options;
    this.awaitedTunnel = proxy === null ? null : new URL(proxy);
    const onPhase = (phase: DialPhase): void => {
      this.awaitedTunnel = null;
      this.options.onPhase(phase);
    };
    try {
      await this.shakeHands(await openSocket(url, { ...this.options, onPhase }, this.dialling.signal));
    } catch (error) {
      const refusal = error instanceof WireRefusal ? error : new WireRefusal(toNetworkFailure(error, this.subject), true, undefined, error);
      this.fail(refusal.failure);
      throw refusal;
    }
  }

  setProtocolVersion(version: string): void {
    this.revision = version;
  }

  endSetUp(): void {
    // Nothing is salvaged here: a frame has its message to itself.
  }

  describeDelay(): string | null {
    const { begunBytes } = this.filter;
    if (this.awaitedTunnel !== null) return toDeafTunnel(this.awaitedTunnel);
    return begunBytes === 0 ? null : `a message was begun and not ended, which may be it: ${begunBytes} bytes of it came`;
  }

  deliver(message: Parameters<typeof toSdkMessage>[0]): void {
    this.onmessage?.(toSdkMessage(message));
  }

  send(message: Parameters<Transport['send']>[0], options?: WireSendOptions): Promise<void> {
    const { socket } = this;
    if (this.isOver || socket === null || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('the connection is not open'));
    if (this.unreadBytes >= MOST_WAITING_BYTES) {
      const failure = explainFailure('not_reading', { stage: 'negotiate', ...this.subject, said: `${formatBytes(this.unreadBytes)} wait for it already` });
      return Promise.reject(new WireRefusal(failure, true, undefined, null));
    }
    const text = StreamedText.from(JSON.stringify(message), options?.content);
    if (this.streaming === null && typeof text === 'string') return this.write(text, socket, options);
    const turn = (this.streaming ?? Promise.resolve()).then(() => (typeof text === 'string' ? this.write(text, socket, options) : this.stream(text, socket, options)));
    const settled = turn.catch(() => undefined).then(() => {
      if (this.streaming === settled) this.streaming = null;
    });
    this.streaming = settled;
    return turn;
  }

  private write(text: string, socket: WebSocket, options: WireSendOptions | undefined): Promise<void> {
    this.listener?.onWire('sent', text);
    const written = this.sendPart(text, socket, true);
    options?.onSent?.();
    return written;
  }

  /** One message in fragments, each once the one before was taken. One that is broken off is ended as it is, and is no JSON. */
  private async stream(text: StreamedText, socket: WebSocket, options: WireSendOptions | undefined): Promise<void> {
    this.listener?.onWire('sent', text.summary, text.sizeBytes);
    options?.onSent?.();
    try {
      for await (const part of text.parts()) await this.sendPart(part, socket, false);
    } finally {
      await this.sendPart('', socket, true);
    }
  }

  private sendPart(part: string, socket: WebSocket, fin: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pendingSends.add(reject);
      socket.send(part, { fin }, (error) => {
        this.pendingSends.delete(reject);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Ends the connection with a closing handshake that is waited for only so long. */
  close(): Promise<void> {
    return this.end(NORMAL);
  }

  private end(code: number): Promise<void> {
    this.closing ??= this.leave(code);
    return this.closing;
  }

  private async leave(code: number): Promise<void> {
    const { socket } = this;
    this.dialling.abort(new Error('the connection was given up'));
    this.finish();
    if (socket === null || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
    else socket.close(code);
    await closed;
  }

  /** Ends it because of this failure; what the server is told is the code. */
  private fail(failure: ConnectFailure, code = NORMAL): void {
    if (this.isOver) return;
    this.ending = failure;
    void this.end(code);
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.heartbeat?.stop();
    for (const reject of this.pendingSends) reject(new Error('the connection was closed'));
    this.pendingSends.clear();
    this.onclose?.();
  }

  /** Makes a WebSocket of a connection; rejects with the refusal, where the server answers with one. */
  private shakeHands(tcp: Socket): Promise<void> {
    tcp.setKeepAlive(true, this.pace.pingEveryMs);
    // The library asks for the type that Node's own sockets have, and uses what every stream has.
    const gated = new GatedSocket(tcp, this.filter) as unknown as Socket;
    const address = new URL(this.options.url);
    address.hash = '';
    const settings = {
      createConnection: () => gated,
      headers: { ...this.options.headers },
      perMessageDeflate: false,
      maxPayload: 0,
      // Checked here, where it can be told which byte it is.
      skipUTF8Validation: true,
      followRedirects: false,
      // Not in the declarations yet.
      closeTimeout: this.pace.closeMs,
    };
    const socket = new WebSocket(address, SUBPROTOCOL, settings);
    this.socket = socket;
    return new Promise((resolve, reject) => {
      let upgrade: IncomingMessage | null = null;
      let broken: Error | null = null;
      socket.on('upgrade', (answer) => (upgrade = answer));
      socket.on('unexpected-response', (_request, answer) => void this.readRefusal(answer).then(reject, reject));
      socket.on('error', (error) => {
        broken ??= error;
        if (this.heartbeat === null) reject(upgrade === null ? error : this.toHandshakeFault(upgrade, error));
        else if ('code' in error && String(error.code).startsWith('WS_ERR_')) this.fail(this.explain(`its frames are not valid, ${error.message}`));
      });
      socket.on('open', () => {
        this.options.onPhase({ phase: 'answered', status: 101 });
        this.follow(socket);
        resolve();
      });
      socket.on('close', (code, reason) => {
        if (this.heartbeat === null) reject(broken ?? new Error('the connection was closed'));
        else this.fail(toCloseFailure(code, reason.toString('utf8'), this.subject, broken?.message));
      });
    });
  }

  private follow(socket: WebSocket): void {
    this.heartbeat = new Heartbeat({
      everyMs: this.pace.pingEveryMs,
      ping: () => socket.readyState === WebSocket.OPEN && socket.ping(),
      isBusy: () => this.listener?.isBusy() === true,
      onDead: (silentMs) => {
        this.fail(explainFailure('connection_reset', { stage: 'negotiate', ...this.subject, said: `it has not answered a ping for ${formatDuration(silentMs)}` }));
        socket.terminate();
      },
    });
    for (const sign of ['ping', 'pong'] as const) socket.on(sign, () => this.heartbeat?.hear());
    socket.on('message', (data, isBinary) => this.read(data, isBinary));
  }

  private read(data: WebSocket.RawData, isBinary: boolean): void {
    const large = this.filter.take();
    this.heartbeat?.hear();
    if (this.isOver) return;
    if (isBinary || !Buffer.isBuffer(data)) {
      this.fail(this.explain('it sent a binary message, where each message is a text frame'), UNSUPPORTED_DATA);
      return;
    }
    if (large !== null) {
      // It was cut at a byte, perhaps within a character.
      const begin = large.begin.toString('utf8').replace(/\uFFFD$/, '');
      readLargeMessage(large.message, begin, large.sizeBytes, this.options.limitBytes, this);
      return;
    }
    const invalidAt = findInvalidUtf8(data);
    if (invalidAt !== -1) {
      const said = `${describeInvalid({ byte: data[invalidAt] ?? 0, offset: invalidAt })} of a message`;
      this.fail(explainFailure('not_utf8', { stage: 'negotiate', ...this.subject, said, evidence: { detail: said } }), INVALID_DATA);
      return;
    }
    const text = data.toString('utf8').replace(/^\uFEFF/, '');
    if (text.trim() !== '') readChannelText(text, this);
  }

  /** The server answered the handshake with something else than a WebSocket. */
  private async readRefusal(answer: IncomingMessage): Promise<WireRefusal> {
    const response = toResponse(answer);
    const body = await readBeginning(response, REFUSAL_BODY_BYTES, REFUSAL_MS);
    const { status, statusText, headers } = response;
    this.listener?.onWire('received', `HTTP ${status} ${statusText}\n${body}`);
    if (isRedirect(response)) return toRedirectRefusal(this.options.url, response, 'which a WebSocket does not follow', this.subject);
    const failure = toHttpFailure({ status, headers, body: this.options.scrub(body) }, this.subject);
    if (status >= 300) this.options.onPhase({ phase: 'answered', status });
    return new WireRefusal(failure, true, undefined, null);
  }

  /** It answered with a WebSocket, and not with one of ours. */
  private toHandshakeFault({ headers }: IncomingMessage, error: Error): WireRefusal {
    const selected = headers['sec-websocket-protocol'];
    const facts = { stage: 'http', ...this.subject, evidence: { httpStatus: 101, detail: error.message } } as const;
    const failure = /subprotocol/i.test(error.message)
      ? explainFailure('subprotocol_refused', { ...facts, said: selected === undefined ? 'it selects none' : `it selects "${selected}"` })
      : explainFailure('not_an_mcp_endpoint', { ...facts, said: `its answer to the handshake is not valid, ${error.message}` });
    return new WireRefusal(failure, true, undefined, error);
  }

  private explain(said: string): ConnectFailure {
    return explainFailure('protocol_error', { stage: 'negotiate', ...this.subject, said, evidence: { detail: said } });
  }
}
