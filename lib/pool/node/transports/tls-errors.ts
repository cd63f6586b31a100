import type { ConnectFailureCode, Stage } from '../..';

type Verdict = readonly [ConnectFailureCode, Stage];

/** What OpenSSL and Node say of the server's certificate. */
const CODES: Readonly<Record<string, ConnectFailureCode>> = {
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
};

/** Alerts of a server that misses a client certificate, or does not accept the one it got (RFC 8446, section 6.2). */
const ABOUT_OURS = /alert (?:certificate (?:required|unknown|expired|revoked)|bad certificate|unsupported certificate|unknown ca|access denied)/i;

/** What a failure of TLS is; undefined where the error is none. */
export function findTlsFailure(error: Error, code: string): Verdict | undefined {
  const known = CODES[code];
  if (known !== undefined) return [known, 'connect'];
  // Thrown before anything is sent, by what reads the certificate and key of the entry.
  if (code.startsWith('ERR_OSSL_')) return ['tls_client_key', 'connect'];
  const isTls = code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS');
  if (isTls && ABOUT_OURS.test(error.message)) return ['tls_client_certificate', 'connect'];
  // A server that speaks no TLS and hangs up on the handshake; the code alone says only that it hung up.
  if (isTls || error.message.includes('before secure TLS connection')) return ['tls_failed', 'connect'];
  return undefined;
}

/** The words of an OpenSSL error, without the numbers and places of its source around them. */
export function toTlsWords(message: string): string {
  const words = /\berror:[0-9A-F]+:[^:]*:[^:]*:([^:\n]+)/i.exec(message)?.[1];
  return words?.trim() ?? message;
}
