import type { ResolvedTransport } from '@/lib/servers';
import { Dialer } from './dialer';
import { EventStreamReader } from './sse-reader';

const PATIENCE_MS = 2_000;
const ENOUGH_BYTES = 16 * 1024;

/** Whether a URL that refused Streamable HTTP opens the older transport's stream: its first event is `endpoint`. */
export async function speaksLegacySse(remote: Exclude<ResolvedTransport, { kind: 'stdio' }>, signal: AbortSignal): Promise<boolean> {
  const dialer = new Dialer({ tls: remote.tls, proxy: remote.proxy, onPhase: () => undefined });
  const clock = AbortSignal.timeout(PATIENCE_MS);
  try {
    const headers = new Headers({ ...remote.headers, accept: 'text/event-stream' });
    const response = await dialer.request(remote.url, {
      method: 'GET', headers, body: null, signal: AbortSignal.any([signal, clock]), onSent: () => undefined,
    });
    if (!response.ok || !/^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '') || response.body === null) return false;
    const reader = new EventStreamReader(ENOUGH_BYTES);
    // Web streams are async iterable in Node; the DOM's declaration does not say so.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const [first] = reader.push(chunk).filter((read) => read.kind !== 'retry');
      if (first !== undefined) return first.kind === 'event' && first.event.event === 'endpoint';
    }
    return false;
  } catch {
    return false;
  } finally {
    dialer.close();
  }
}
