import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { rootCertificates, type ConnectionOptions } from 'node:tls';

/** The proxy answered, and did not let the connection through. */
class ProxyRefusal extends Error {
  readonly code = 'PROXY_REFUSED';

  constructor(readonly status: number, host: string) {
    super(`the proxy ${host} answered HTTP ${status}`);
    this.name = 'ProxyRefusal';
  }
}

/** What failed is the proxy, not the server behind it. */
export class ProxyUnreachable extends Error {
  constructor(host: string, cause: Error) {
    super(`the proxy ${host} cannot be reached: ${cause.message}`, { cause });
    this.name = 'ProxyUnreachable';
  }
}

export const isProxyFault = (error: Error): boolean => error instanceof ProxyRefusal || error instanceof ProxyUnreachable;

interface ProxyTls {
  readonly ca?: string;
  readonly insecure: boolean;
}

/** How a proxy that is itself reached over TLS is trusted: as any server is, and by the authority that the entry names. */
export const toProxyTls = ({ ca, insecure }: ProxyTls): Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'> => ({
  ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  rejectUnauthorized: !insecure,
});

export const isSecure = (url: URL): boolean => url.protocol === 'https:' || url.protocol === 'wss:';

/** Opens a tunnel (CONNECT) through a proxy to the target's host and port. */
export function openTunnel(proxy: URL, target: URL, tls: ProxyTls, signal: AbortSignal | null): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || (isSecure(target) ? 443 : 80)}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: authority,
    ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    ...toProxyTls(tls),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers,
    agent: false,
    signal: signal ?? undefined,
  });
  return new Promise((resolve, reject) => {
    request.once('connect', (response, socket: Socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new ProxyRefusal(response.statusCode ?? 0, proxy.host));
    });
    request.once('response', (response) => {
      response.resume();
      reject(new ProxyRefusal(response.statusCode ?? 0, proxy.host));
    });
    request.once('error', (error) => reject(new ProxyUnreachable(proxy.host, error)));
    request.end();
  });
}

/** The sentence for a tunnel that was asked for and never came. */
export const toDeafTunnel = (proxy: URL): string => `the proxy ${proxy.host} did not answer the CONNECT that asks it for the connection`;
