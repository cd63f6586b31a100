import { Dialer } from '@/lib/pool/node';
import { findProxy } from '@/lib/servers/node';

/**
 * Posts JSON to an address and answers the status. Redirects are answers like any other; link-local addresses are
 * refused, also where a name leads to one; what is answered beyond the head is not read.
 * @throws the system's error, `AddressNotAllowed`, or the signal's reason
 */
export async function postJson(url: URL, body: string, environment: Readonly<Record<string, string>>, signal: AbortSignal): Promise<number> {
  const dialer = new Dialer({ tls: { insecure: false }, proxy: findProxy(url, environment), onPhase: () => undefined });
  try {
    const headers = new Headers({ 'content-type': 'application/json', 'user-agent': 'signalbox' });
    const response = await dialer.request(url, { method: 'POST', headers, body, signal, onSent: () => undefined });
    await response.body?.cancel();
    return response.status;
  } finally {
    dialer.close();
  }
}
