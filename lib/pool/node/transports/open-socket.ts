import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { lookupAllowed, requireAllowed, toCertificateEvidence, toTlsOptions, type DialOptions } from './dialer';
import { isSecure, openTunnel } from './tunnel';

/**
 * Opens a connection to a URL's host and port for a protocol of its own: through the proxy where there is one (a
 * tunnel, whatever the scheme), over TLS where the scheme says so. Rejects with the system's error, or the signal's reason.
 */
export async function openSocket(url: URL, options: DialOptions, signal: AbortSignal): Promise<Socket> {
  requireAllowed(url);
  const tcp = options.proxy === null ? await openTcp(url, options, signal) : await openTunnel(new URL(options.proxy), url, options.tls, signal);
  options.onPhase({ phase: 'connected' });
  if (!isSecure(url)) return tcp;
  const secured = await secure(tcp, url, options, signal).catch((error: unknown) => {
    tcp.destroy();
    throw error;
  });
  options.onPhase({ phase: 'secured', evidence: toCertificateEvidence(secured) });
  return secured;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

function openTcp(url: URL, { onPhase }: DialOptions, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: hostOf(url), port: Number(url.port || (isSecure(url) ? 443 : 80)), lookup: lookupAllowed(url, onPhase) });
  socket.setNoDelay(true);
  return waitFor(socket, 'connect', signal);
}

async function secure(tcp: Socket, url: URL, { tls }: DialOptions, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostOf(url);
  const socket = connectTls({ socket: tcp, host, ...(isIP(host) === 0 && { servername: host }), ...toTlsOptions(tls) });
  return waitFor(socket, 'secureConnect', signal);
}

/** Waits for a socket's event; a socket that fails, or whose time is over, is destroyed. */
function waitFor<Kind extends Socket>(socket: Kind, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      signal.removeEventListener('abort', giveUp);
      socket.off('error', fail);
      socket.off('close', fall);
    };
    const fail = (error: Error): void => {
      end();
      // Until it is closed it may fail once more, and nobody listens then.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const giveUp = (): void => fail(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    const fall = (): void => fail(Object.assign(new Error('the connection was closed before it stood'), { code: 'ECONNRESET' }));
    socket.once('error', fail);
    socket.once('close', fall);
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once(event, () => {
      end();
      resolve(socket);
    });
    if (signal.aborted) giveUp();
  });
}
