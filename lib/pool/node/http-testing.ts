import { afterEach } from 'vitest';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import type { ResolvedServer } from '@/lib/servers';
import type { Connection, OpenConnectionOptions } from './connection';
import { openConnection } from './set-up/open-connection';
import { never, resolvedHttp, watch, watchedCall, type WatchedCall } from './testing';

/** For tests: hand-made HTTP servers and connections to them, all ended after each test. */

export type Wishes = Parameters<typeof resolvedHttp>[1];
type Remote = Exclude<ResolvedServer['transport'], { kind: 'stdio' }>;

export function httpServers() {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function serve(options: Parameters<typeof startRawHttp>[0]) {
    const server = await startRawHttp(options);
    cleanups.push(() => server.close());
    return server;
  }

  async function open(resolved: ResolvedServer, more: Partial<OpenConnectionOptions> = {}) {
    const remarks: string[] = [];
    const wire: { direction: string; text: string; sizeBytes: number }[] = [];
    const watched = watch(resolved, {
      onRemark: (text) => remarks.push(text),
      onWire: (direction, text, sizeBytes) => wire.push({ direction, text, sizeBytes }),
      ...more,
    });
    const opened = await openConnection(watched.options, never);
    if (opened.ok) cleanups.push(() => opened.value.close());
    return { opened, watched, remarks, wire };
  }

  const connect = (url: string, wishes: Wishes = {}, more: Partial<OpenConnectionOptions> = {}) => open(resolvedHttp(url, wishes), more);

  async function requireOpen(url: string, wishes: Wishes = {}, more: Partial<OpenConnectionOptions> = {}) {
    const { opened, ...rest } = await connect(url, wishes, more);
    if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
    return { connection: opened.value, ...rest };
  }

  const requireConnection = async (url: string, wishes: Wishes = {}): Promise<Connection> => (await requireOpen(url, wishes)).connection;

  return { cleanups, serve, open, connect, requireOpen, requireConnection };
}

export function withRemote(resolved: ResolvedServer, more: Partial<Remote>): ResolvedServer {
  if (resolved.transport.kind === 'stdio') throw new Error('not remote');
  return { ...resolved, transport: { ...resolved.transport, ...more } };
}

export const withTls = (resolved: ResolvedServer, tls: Remote['tls']): ResolvedServer => withRemote(resolved, { tls });

export const echo = (text = 'x'): WatchedCall => watchedCall('echo', { text });
