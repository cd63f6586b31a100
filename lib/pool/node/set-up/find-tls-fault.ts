import { X509Certificate } from 'node:crypto';
import type { ResolvedTransport } from '@/lib/servers';

type Tls = Exclude<ResolvedTransport, { kind: 'stdio' }>['tls'];

const BLOCK = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * What is wrong with the certificates of an entry, as a sentence that names the field; null where nothing is. The TLS
 * library passes over an authority without a certificate in silence, and then trusts nobody.
 */
export function findTlsFault({ ca, cert }: Pick<Tls, 'ca' | 'cert'>): string | null {
  return findFault('tls.ca', ca, 'the certificate of the authority') ?? findFault('tls.cert', cert, 'the client certificate');
}

function findFault(field: string, pem: string | undefined, what: string): string | null {
  if (pem === undefined) return null;
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) return `${field} has no certificate in it. Give ${what} in PEM, which begins with -----BEGIN CERTIFICATE-----, or the path of such a file`;
  const unreadable = blocks.findIndex((block) => !isCertificate(block));
  return unreadable === -1 ? null : `certificate ${unreadable + 1} of ${blocks.length} in ${field} cannot be read. Give ${what} in PEM, whole`;
}

function isCertificate(pem: string): boolean {
  // OpenSSL's other forms hold more than a certificate, which it alone reads.
  if (!pem.startsWith('-----BEGIN CERTIFICATE-----')) return true;
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
