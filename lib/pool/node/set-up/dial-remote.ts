import { assertNever } from '@/lib/core';
import { DEFAULT_LIMITS, type ResolvedTransport } from '@/lib/servers';
import type { OpenConnectionOptions } from '../connection';
import type { StageTracker } from './stages';
import { findLiteralAddress } from '../transports/dialer';
import { HttpTransport } from '../transports/http';
import type { RemoteOptions, RemotePhase } from '../transports/remote-options';
import { SseTransport } from '../transports/sse';
import type { WireTransport } from '../transports/transport';
import { isSecure } from '../transports/tunnel';
import { WebSocketTransport } from '../transports/websocket';

/** Keeps what is secret out of whatever is told of a connection. */
export interface Hiding {
  readonly scrub: (text: string) => string;
  /** Only the ids of the sessions, of texts that stay whole otherwise. */
  readonly hideSession: (text: string) => string;
  readonly onSession: (ids: readonly string[]) => void;
}

export type RemoteSettings = Exclude<ResolvedTransport, { kind: 'stdio' }>;

/**
 * The transport of a remote server; it connects with its first message, or when it is started.
 * @param isFallback the entry says http, and this is the older transport tried after it
 */
export function dialRemote(
  settings: RemoteSettings,
  options: OpenConnectionOptions,
  tracker: StageTracker,
  { scrub, onSession }: Hiding,
  isFallback: boolean,
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
    onSession,
    onPhase: (phase) => {
      // A refusal of the second transport is told with that of the first, at its stage.
      const isSecondRefusal = isFallback && phase.phase === 'answered' && phase.status >= 300;
      if (!isSecondRefusal) followPhase(phase, settings, tracker);
    },
  };
  const kind = isFallback ? 'sse' : settings.kind;
  switch (kind) {
    case 'http':
      return new HttpTransport(remote);
    case 'sse':
      return new SseTransport(remote);
    case 'websocket':
      return new WebSocketTransport(remote);
    default:
      return assertNever(kind);
  }
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
      if (current !== 'connect' || isSecure(url)) return;
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
