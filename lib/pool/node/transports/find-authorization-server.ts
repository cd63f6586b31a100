import { isObject } from '@/lib/core';
import type { ResolvedTransport } from '@/lib/servers';
import { findTokenParameter } from './challenges';
import { Dialer } from './dialer';
import { readBounded } from './read-bounded';

const PATIENCE_MS = 2_000;
const DOCUMENT_BYTES = 64 * 1024;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Who gives tokens for a server that asked for one, as its protected-resource metadata says (RFC 9728): the document
 * that the challenge names, then that of its path, then that of the origin. No credentials are sent; documents of
 * another origin are not read.
 */
export async function findAuthorizationServer(
  remote: Exclude<ResolvedTransport, { kind: 'stdio' }>,
  challenge: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const dialer = new Dialer({ tls: remote.tls, proxy: remote.proxy, onPhase: () => undefined });
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    for (const address of listDocuments(remote.url, challenge)) {
      const found = await readDocument(dialer, address, bounded);
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    dialer.close();
  }
}

function listDocuments(url: URL, challenge: string): readonly URL[] {
  const named = findTokenParameter(challenge, 'resource_metadata');
  const addresses = [named, `${WELL_KNOWN}${url.pathname === '/' ? '' : url.pathname}`, WELL_KNOWN].flatMap((text) =>
    text !== undefined && URL.canParse(text, url) ? [new URL(text, url)] : [],
  );
  const own = addresses.filter(({ origin }) => origin === url.origin);
  return own.filter(({ href }, index) => own.findIndex((other) => other.href === href) === index);
}

async function readDocument(dialer: Dialer, address: URL, signal: AbortSignal): Promise<string | undefined> {
  try {
    const headers = new Headers({ accept: 'application/json' });
    const response = await dialer.request(address, { method: 'GET', headers, body: null, signal, onSent: () => undefined });
    const { text } = await readBounded(response, DOCUMENT_BYTES);
    if (!response.ok || text === null) return undefined;
    const document: unknown = JSON.parse(text);
    const servers: unknown = isObject(document) ? document.authorization_servers : undefined;
    const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
    return typeof first === 'string' && URL.canParse(first) ? first : undefined;
  } catch {
    // A page instead of a document, or none: the next place may have it.
    return undefined;
  }
}
