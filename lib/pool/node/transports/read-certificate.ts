import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Evidence } from '../..';
import { toCertificateEvidence } from './dialer';

const PATIENCE_MS = 2_000;

/**
 * What a server's certificate says of itself, read on a connection of its own over which nothing is sent; nothing
 * where it cannot be read.
 */
export function readCertificate(url: URL, signal: AbortSignal): Promise<Evidence> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // Only looked at: nothing goes over it that trust would be needed for.
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
      timeout: PATIENCE_MS,
    });
    const finish = (evidence: Evidence): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(evidence);
    };
    const giveUp = (): void => finish({});
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('secureConnect', () => finish(toCertificateEvidence(socket)));
    socket.once('timeout', giveUp);
    socket.once('error', giveUp);
  });
}
