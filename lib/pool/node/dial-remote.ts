import { DEFAULT_LIMITS, type ResolvedTransport } from '@/lib/servers';
import type { OpenConnectionOptions } from './connection';
import type { StageTracker } from './stages';
import { findLiteralAddress } from './transports/dialer';
import { HttpTransport } from './transports/http';
import type { RemoteOptions, RemotePhase } from './transports/remote-options';
import type { WireTransport } from './transports/transport';

type RemoteSettings = Exclude<ResolvedTransport, { kind: 'stdio' }>;

/** The transport of a remote server; it connects with its first message, or when it is started. */
export function dialRemote(
  settings: RemoteSettings,
  options: OpenConnectionOptions,
  tracker: StageTracker,
  scrub: (text: string) => string,
): WireTransport {
  const { url, headers, tls, proxy } = settings;
  tracker.begin('resolve');
  if (proxy !== null) tracker.pass('resolve', `through the proxy ${new URL(proxy).host}`);
  else if (findLiteralAddress(url) !== null) tracker.pass('resolve', `${url.hostname} is an address`);
  if (proxy !== null || findLiteralAddress(url) !== null) tracker.begin('connect');
  const remote: RemoteOptions = {
    server: options.resolved.key,
    url,
    headers,
    tls,
    proxy,
    limitBytes: options.resolved.limits.max_message_bytes ?? DEFAULT_LIMITS.max_message_bytes,
    scrub,
    onPhase: (phase) => followPhase(phase, settings, tracker),
  };
  return new HttpTransport(remote);
}

/** Reports how far the first connection came; what comes again later is told already. */
function followPhase(phase: RemotePhase, { url, tls }: RemoteSettings, tracker: StageTracker): void {
  const { current } = tracker;
  switch (phase.phase) {
    case 'resolved':
      if (current !== 'resolve') return;
      tracker.pass('resolve', `${url.hostname} is ${phase.address}`);
      tracker.begin('connect');
      return;
    case 'connected':
      if (current !== 'connect' || url.protocol === 'https:') return;
      tracker.pass('connect', `connected to ${url.host}`);
      tracker.begin('http');
      return;
    case 'secured':
      if (current !== 'connect') return;
      if (tls.insecure) tracker.warn('connect', 'TLS not verified', phase.evidence);
      else tracker.pass('connect', `connected to ${url.host} over TLS`, phase.evidence);
      tracker.begin('http');
      return;
    case 'answered':
      if (current === 'connect') tracker.begin('http');
      if (phase.status === 401 || phase.status === 403) {
        tracker.pass('http', `HTTP ${phase.status}`);
        tracker.begin('auth');
      } else if (phase.status < 300) {
        tracker.pass('http', `HTTP ${phase.status}`);
        tracker.begin('auth');
        tracker.pass('auth', 'nothing more was asked for');
        tracker.begin('negotiate');
      }
  }
}
