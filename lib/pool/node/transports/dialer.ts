import { lookup as lookupHost } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TLSSocket, type ConnectionOptions } from 'node:tls';
import type { Evidence } from '../..';
import { AddressNotAllowed, isAllowedAddress } from './addresses';
import { ACCEPTED_ENCODINGS, decodeBody } from './decode-body';
import { StreamedText } from './streamed-content';
import { isSecure, openTunnel, ProxyUnreachable, toDeafTunnel, toProxyTls } from './tunnel';

/** How far the first connection came, as it comes there. */
export type DialPhase =
  | { readonly phase: 'resolved'; readonly address: string }
  | { readonly phase: 'connected' }
  | { readonly phase: 'secured'; readonly evidence: Evidence };

interface TlsSettings {
  /** PEM texts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure: boolean;
}

export interface DialOptions {
  readonly tls: TlsSettings;
  readonly proxy: string | null;
  readonly onPhase: (phase: DialPhase) => void;
}

export interface DialRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | StreamedText | null;
  readonly signal: AbortSignal | null;
  /** The connection stands and the request goes out on it. */
  readonly onSent: () => void;
}

/** A free socket is let go before most servers close it, so that no request goes out on a dying one. */
const FREE_SOCKET_MS = 1_800;

/**
 * Makes HTTP requests for one connection, on sockets of its own that `close` ends. Not `fetch`: that takes no
 * certificates and no proxy, refuses some ports, hides at what step it failed, and Next puts a cache around it.
 */
export class Dialer {
  private readonly http = new HttpAgent({ keepAlive: true, timeout: FREE_SOCKET_MS });
  private readonly https: HttpsAgent;
  private readonly toProxy: HttpsAgent;
  private readonly tunnels = new Set<Socket>();
  /** The proxy that was last asked for a tunnel and did not give one. */
  private awaitedTunnel: URL | null = null;

  constructor(private readonly options: DialOptions) {
    this.https = new HttpsAgent({ keepAlive: true, timeout: FREE_SOCKET_MS, ...toTlsOptions(options.tls) });
    this.toProxy = new HttpsAgent({ keepAlive: true, timeout: FREE_SOCKET_MS, ...toProxyTls(options.tls) });
  }

  /** Resolves with the answer's head as soon as it is there; rejects with the system's error, or the signal's reason. */
  async request(url: URL, wanted: DialRequest): Promise<Response> {
    wanted.signal?.throwIfAborted();
    requireAllowed(url);
    return toResponse(await this.send(url, wanted));
  }

  /** What keeps anything from being sent; null where nothing is known to. */
  describeDelay(): string | null {
    return this.awaitedTunnel === null ? null : toDeafTunnel(this.awaitedTunnel);
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
    this.toProxy.destroy();
    for (const socket of this.tunnels) socket.destroy();
  }

  private async send(url: URL, wanted: DialRequest): Promise<IncomingMessage> {
    const { proxy } = this.options;
    const headers: Record<string, string> = { ...Object.fromEntries(wanted.headers), 'accept-encoding': ACCEPTED_ENCODINGS };
    const { body } = wanted;
    if (body !== null) headers['content-length'] = String(body instanceof StreamedText ? body.sizeBytes : Buffer.byteLength(body));
    const common = { method: wanted.method, headers, signal: wanted.signal ?? undefined };
    if (proxy !== null && url.protocol === 'https:') {
      this.awaitedTunnel = new URL(proxy);
      const socket = await openTunnel(this.awaitedTunnel, url, this.options.tls, wanted.signal);
      this.awaitedTunnel = null;
      this.tunnels.add(socket);
      const request = httpsRequest(url, { ...common, ...toTlsOptions(this.options.tls), agent: false, socket } as RequestOptions);
      // A tunnel serves one request; nothing else would end it.
      request.once('close', () => {
        socket.destroy();
        this.tunnels.delete(socket);
      });
      return this.exchange(request, wanted);
    }
    if (proxy !== null) {
      const via = new URL(proxy);
      const request = {
        ...common, hostname: via.hostname.replace(/^\[|\]$/g, ''), port: via.port || (isSecure(via) ? 443 : 80), path: url.href,
        headers: { ...headers, host: url.host, ...toProxyHeaders(via) },
      };
      const made = isSecure(via) ? httpsRequest({ ...request, agent: this.toProxy }) : httpRequest({ ...request, agent: this.http });
      return this.exchangeThrough(via, made, wanted);
    }
    const lookup = lookupAllowed(url, this.options.onPhase);
    return this.exchange(
      url.protocol === 'https:' ? httpsRequest(url, { ...common, lookup, agent: this.https }) : httpRequest(url, { ...common, lookup, agent: this.http }),
      wanted,
    );
  }

  /** What fails before the request went out is the proxy, not the server behind it. */
  private async exchangeThrough(via: URL, request: ClientRequest, wanted: DialRequest): Promise<IncomingMessage> {
    let isSent = false;
    const onSent = (): void => {
      isSent = true;
      wanted.onSent();
    };
    try {
      return await this.exchange(request, { ...wanted, onSent });
    } catch (error) {
      if (isSent || wanted.signal?.aborted || !(error instanceof Error)) throw error;
      throw new ProxyUnreachable(via.host, error);
    }
  }

  private exchange(request: ClientRequest, wanted: DialRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', (error) => {
        if (request.reusedSocket) this.dropFreeSockets();
        const reason: unknown = wanted.signal?.aborted ? wanted.signal.reason : error;
        reject(toError(reason));
      });
      request.once('socket', (socket) => this.followSocket(socket, wanted));
      if (wanted.body instanceof StreamedText) void writeStreamed(wanted.body, request).catch((error: unknown) => reject(toError(error)));
      else request.end(wanted.body ?? undefined);
    });
  }

  /** One kept socket was dead, so the others may be too: what comes next goes out on fresh ones. */
  private dropFreeSockets(): void {
    for (const { freeSockets } of [this.http, this.https, this.toProxy]) {
      for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
    }
  }

  private followSocket(socket: Socket, wanted: DialRequest): void {
    const { onPhase } = this.options;
    const secured = (tls: TLSSocket) => {
      onPhase({ phase: 'secured', evidence: toCertificateEvidence(tls) });
      wanted.onSent();
    };
    if (!socket.connecting && !isSecuring(socket)) {
      wanted.onSent();
      return;
    }
    socket.once('connect', () => {
      onPhase({ phase: 'connected' });
      if (!(socket instanceof TLSSocket)) wanted.onSent();
    });
    if (socket instanceof TLSSocket) socket.once('secureConnect', () => secured(socket));
  }
}

/** Its parts as the socket takes them; what breaks it off ends the request before it is whole. */
const writeStreamed = (body: StreamedText, request: ClientRequest): Promise<void> => pipeline(Readable.from(body.parts(), { objectMode: false }), request);

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Whether the TLS of a socket that is connected, through a tunnel say, is still being agreed upon. */
const isSecuring = (socket: Socket): boolean => socket instanceof TLSSocket && 'secureConnecting' in socket && socket.secureConnecting === true;

/** Resolves a name, and lets no address through that the console does not connect to. */
export function lookupAllowed(url: URL, onPhase: DialOptions['onPhase']): LookupFunction {
  return (hostname, options, callback) => {
    lookupHost(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address));
      const [first] = allowed;
      if (!first) return callback(new AddressNotAllowed(url.host, addresses[0]?.address ?? ''), '', 0);
      onPhase({ phase: 'resolved', address: allowed.map(({ address }) => address).join(', ') });
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** Refuses a URL that names an address outright which the console does not connect to. */
export function requireAllowed(url: URL): void {
  const literal = findLiteralAddress(url);
  if (literal !== null && !isAllowedAddress(literal)) throw new AddressNotAllowed(url.host, literal);
}

/** The address that a URL names outright, so that nothing has to be looked up; null where it names a host. */
export function findLiteralAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

export function toTlsOptions(tls: TlsSettings): Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'> {
  return {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    rejectUnauthorized: !tls.insecure,
  };
}

function toProxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** What a certificate says of itself. */
export function toCertificateEvidence(socket: TLSSocket): Evidence {
  const certificate = socket.getPeerCertificate();
  if (!certificate.subject) return {};
  return {
    certificate: {
      subject: String(certificate.subject.CN ?? ''),
      issuer: String(certificate.issuer.CN ?? certificate.issuer.O ?? ''),
      validFrom: certificate.valid_from,
      validTo: certificate.valid_to,
    },
  };
}

const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

export function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new Error(`it answered with the status ${status}, which HTTP does not know`);
  }
  // A reason may hold what a `Response` does not take.
  const statusText = /^[\t\x20-\x7e]*$/.test(message.statusMessage ?? '') ? message.statusMessage : '';
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
  }
  const encoding = headers.get('content-encoding');
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (BODILESS.has(status)) {
    message.resume();
    return new Response(null, { status, statusText, headers });
  }
  const body = decodeBody(message, encoding);
  // The two declarations of a web stream, Node's and the DOM's, are one thing at run time.
  return new Response(Readable.toWeb(body) as unknown as ReadableStream, { status, statusText, headers });
}
