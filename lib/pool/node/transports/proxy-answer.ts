import type { ConnectFailure } from '../..';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Who of the two an answer is from that came through a proxy; `said` is what shows that it is the proxy. */
export type Answerer = { readonly who: 'server' | 'either' } | { readonly who: 'proxy'; readonly said: string };

/** What a proxy refuses with, or cannot reach the server. A wrong path (404) is the server's to tell. */
const isOfProxies = (status: number): boolean => status === 403 || status >= 500;

export const isHtml = ({ headers, body }: Pick<Answer, 'headers' | 'body'>): boolean =>
  /^\s*text\/html/i.test(headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(body);

/**
 * Whether a refusal is of the server or of the proxy in between, by what proxies write into their own answers
 * (RFC 9209 and what common ones do), and MCP servers into none: a web page, where the protocol has JSON. Over TLS a
 * proxy is only a tunnel and can write nothing.
 * @param address of the server, whose scheme tells
 */
export function decideAnswerer({ status, headers, body }: Answer, address: string): Answerer {
  if (!/^http:/.test(address)) return { who: 'server' };
  if (isSigned(headers)) return { who: 'proxy', said: `it answered HTTP ${status} itself` };
  if (isHtml({ headers, body })) {
    if (!isOfProxies(status)) return { who: 'either' };
    return { who: 'proxy', said: `a web page came with HTTP ${status}, as proxies write them. If the page is of the server, that refuses the request` };
  }
  const isOfServer = headers.has('www-authenticate') || /\bjson\b/i.test(headers.get('content-type') ?? '') || /^\s*[[{]/.test(body);
  return { who: isOfServer || !isOfProxies(status) ? 'server' : 'either' };
}

const isSigned = (headers: Headers): boolean =>
  headers.has('proxy-authenticate') || headers.has('x-squid-error') || /;\s*error=/i.test(headers.get('proxy-status') ?? '');

/** The failure, with the proxy named that may be the one that answered. */
export const orTheProxy = (failure: ConnectFailure, proxy: string): ConnectFailure => ({
  ...failure,
  message: `${failure.message} It may also be the proxy ${proxy} in between that answers so.`,
  remediation: `${failure.remediation} If it is the proxy, check the proxy on the settings of the server and in the environment (HTTP_PROXY, NO_PROXY).`,
});
