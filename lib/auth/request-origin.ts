/** What a request is measured against: the address that the console is bound to, and the further names it answers to. */
export interface Reach {
  readonly host: string;
  readonly port: number;
  /** `name` or `name:port`. */
  readonly allowedHosts: readonly string[];
}

/** The headers of a request that tell where it comes from and what it was sent to. */
export interface RequestOrigin {
  readonly method: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
  readonly fetchMode: string | null;
}

export type OriginVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: 'host' | 'origin'; readonly message: string };

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = new Set(['0.0.0.0', '::']);
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const toRequestOrigin = (method: string, headers: Headers): RequestOrigin => ({
  method,
  host: headers.get('host'),
  origin: headers.get('origin'),
  fetchSite: headers.get('sec-fetch-site'),
  fetchMode: headers.get('sec-fetch-mode'),
});

/**
 * Whether a request may be looked at at all. A web page that had its own name point here (DNS rebinding) carries
 * that name in Host; one that posts from elsewhere carries its own origin, `null`, or none.
 */
export function decideOrigin(request: RequestOrigin, reach: Reach): OriginVerdict {
  const host = request.host?.toLowerCase() ?? '';
  if (!isAllowedHost(host, reach)) return { ok: false, reason: 'host', message: toHostMessage(host) };
  if (request.origin !== null) return isSameOrigin(request.origin, host, reach) ? { ok: true } : FOREIGN;
  if (!READING_METHODS.has(request.method.toUpperCase())) return request.fetchSite === 'same-origin' ? { ok: true } : FOREIGN;
  const comesFromElsewhere = request.fetchSite === 'cross-site' || request.fetchSite === 'same-site';
  // A link on another page may lead here; a script or an image of another page may not read here.
  return comesFromElsewhere && request.fetchMode !== 'navigate' ? FOREIGN : { ok: true };
}

const FOREIGN: OriginVerdict = {
  ok: false,
  reason: 'origin',
  message: 'The request does not come from a page of this console, so nothing was done.',
};

function toHostMessage(host: string): string {
  const shown = /^[a-z0-9.:[\]-]{1,253}$/.test(host) ? host : 'the name in its Host header';
  return `This console does not answer to ${shown}. An administrator of the machine can add the name to SIGNALBOX_ALLOWED_HOSTS.`;
}

function isAllowedHost(host: string, reach: Reach): boolean {
  const bound = ANY_ADDRESS.has(reach.host) ? [] : [reach.host.includes(':') ? `[${reach.host}]` : reach.host];
  const own = [...LOOPBACK_NAMES, ...bound].flatMap((name) => withPort(name.toLowerCase(), reach.port));
  return own.includes(host) || isNamedHost(host, reach);
}

/** A name that is allowed without a port answers at the default ports of a proxy in front, and at ours. */
const isNamedHost = (host: string, reach: Reach): boolean =>
  reach.allowedHosts.some((name) => host === name || (!/:\d+$/.test(name) && host === `${name}:${reach.port}`));

/** Browsers leave the default port out. */
const withPort = (name: string, port: number): string[] => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);

/** A proxy in front of a further name may speak TLS; at our own addresses there is only plain HTTP. */
function isSameOrigin(origin: string, host: string, reach: Reach): boolean {
  if (origin === `http://${host}`) return true;
  return origin === `https://${host}` && isNamedHost(host, reach);
}
