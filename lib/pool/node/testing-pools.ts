import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { err, ok, Redactor, systemClock, type Result } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ServerSnapshot } from '@/lib/manifests';
import type { ResolvedServer, ServerKey, ServerRecord, StdioEntry } from '@/lib/servers';
import { Pool, TrafficBook, type PoolOptions } from '.';
import { MemoryRecords, MemoryVerdicts, never, resolvedRaw, toKey } from './testing';

/** For tests: pools over hand-made servers, closed after each test. */

const pools: Pool[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function toRecord(key: string, mode: string, more: Partial<StdioEntry> = {}): ServerRecord {
  const entry: StdioEntry = {
    key: toKey(key), label: key, enabled: true, connect: 'use', transport: 'stdio', era: 'legacy', prefix: true, aliases: {}, tools: null,
    limits: { connect_s: 15 }, required: false, external: false, trusted: true, instructions: 'include', verify_with: {}, share: false,
    reads_errors: true, tags: [], command: mode, args: [], env: {}, env_allow: [], ...more,
  };
  return { entry, revision: 1, savedAt: 0, reviewedAt: null, source: 'stored', bundled: false };
}

/** A pool over hand-made servers: an entry's command is the mode of raw-stdio. */
export function makePool(records: ServerRecord[], more: Partial<PoolOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pool-'));
  folders.push(folder);
  const messages: LiveMessage[] = [];
  const started: string[] = [];
  const children = new MemoryRecords();
  const kept = new Map<ServerKey, { fingerprint: string; snapshot: ServerSnapshot }>();
  const pool = new Pool({
    servers: { list: () => records, find: (key) => records.find(({ entry }) => entry.key === key) },
    resolve: (entry): Result<ResolvedServer, { field: string; message: string }[]> =>
      entry.transport === 'stdio' && entry.command !== 'unresolvable'
        ? ok({ ...resolvedRaw(entry.command, { env: { ...entry.env } }), key: entry.key, era: entry.era, limits: entry.limits })
        : err([{ field: 'env.KEY', message: 'env.KEY names the variable KEY, which is not set.' }]),
    jobDirectory: () => folder,
    snapshots: { find: (key) => kept.get(key), save: (key, fingerprint, snapshot) => kept.set(key, { fingerprint, snapshot }) },
    eraVerdicts: new MemoryVerdicts(),
    children,
    readManifest: () => Promise.resolve({ manifest: null, problem: null }),
    bus: { publish: (message) => messages.push(message) },
    traffic: new TrafficBook({ clock: systemClock, publish: (message) => messages.push(message), redactor: new Redactor() }),
    clock: systemClock,
    onStarted: ({ serverKey }) => started.push(serverKey),
    backoff: { firstMs: 50, longestMs: 200 },
    ...more,
  });
  pools.push(pool);
  return { pool, messages, started, children, kept, records };
}

export async function requireLease(pool: Pool, key: string) {
  const acquired = await pool.acquire(toKey(key), 'call', never);
  if (!acquired.ok) throw new Error(acquired.error.message);
  return acquired.value;
}
