import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { Redactor } from '@/lib/core';
import { LiveBus } from '@/lib/live/node';
import type { ConnectFailure } from '@/lib/pool';
import type { WireAnswer } from '@/lib/pool/node';
import type { StdioEntry } from '@/lib/servers';
import { isAlive, never, toKey, until } from '../../pool/node/testing';
import { makePool, requireLease, toRecord } from '../../pool/node/testing-pools';
import { DEFAULT_HEALTH_SETTINGS, type HealthSettings, type StateChange } from '..';
import { VerdictHistory } from './history';
import { HealthMonitor } from './monitor';
import type { MonitorOptions } from './monitor-ports';

let database: Database;
let history: VerdictHistory;
let settings: HealthSettings;
let changes: StateChange[];
let problems: unknown[];
const monitors: HealthMonitor[] = [];
const stopped: number[] = [];
beforeEach(() => {
  database = openTestDatabase();
  history = new VerdictHistory({ database, redactor: new Redactor() });
  settings = { ...DEFAULT_HEALTH_SETTINGS, interval_s: 3600 };
  changes = [];
  problems = [];
});
afterEach(async () => {
  // A process that stands still would not end by being asked to.
  for (const pid of stopped.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  await Promise.all(monitors.splice(0).map((monitor) => monitor.close()));
  database.close();
});

/** A monitor over a pool of hand-made servers; `answerMs` is what a test waits for a server that stands still. */
function watch(entries: readonly (readonly [key: string, mode: string, more?: Partial<StdioEntry>])[], more: Partial<MonitorOptions> = {}) {
  const bus = new LiveBus();
  const records = entries.map(([key, mode, wishes]) => toRecord(key, mode, wishes));
  let load = { inFlight: 0 };
  const { pool } = makePool(records, {
    bus,
    idleAfterMs: 60_000,
    findSilence: (key, connectedAt) => monitor.findSilence(key, connectedAt),
  });
  const monitor: HealthMonitor = new HealthMonitor({
    servers: { list: () => records, find: (key) => records.find(({ entry }) => entry.key === key) },
    pool, history, bus, settings: () => settings, loadOf: () => load, onChange: (change) => changes.push(change),
    log: { error: (data) => problems.push(data) }, answerMs: 400, random: () => 0.5, ...more,
  });
  monitors.push(monitor);
  return { monitor, pool, bus, records, beAtWork: (inFlight: number) => (load = { inFlight }) };
}

async function standStill(pool: ReturnType<typeof makePool>['pool'], key: string): Promise<number> {
  const state = pool.state(toKey(key));
  const pid = state.name === 'connected' ? state.facts.processId : null;
  if (pid === null) throw new Error(`${key} has no process`);
  stopped.push(pid);
  process.kill(pid, 'SIGSTOP');
  return pid;
}

const samples = (): unknown => database.sqlite.prepare(`SELECT server_key AS key, state, ok, latency_ms FROM health_verdicts WHERE source = 'check' ORDER BY id`).all();
const KEY = toKey('it');

describe('the monitor', () => {
  it.each(['legacy', 'modern'] as const)('asks a connected server of the %s era, and takes any answer for life', async (era) => {
    const { monitor, pool } = watch([['it', era === 'modern' ? 'modernOnly' : 'echo', { era: era === 'modern' ? 'auto' : 'legacy' }]]);
    const lease = await requireLease(pool, 'it');
    expect(lease.connection.facts.era).toBe(era);
    monitor.start();
    await monitor.check(KEY);
    expect(samples()).toMatchObject([{ key: 'it', state: 'connected', ok: 1, latency_ms: expect.any(Number) as unknown }]);
    expect(problems).toEqual([]);
  });

  it('finds a server that stands still failing, on every page, and well again when it answers', async () => {
    const { monitor, pool } = watch([['it', 'echo']]);
    const lease = await requireLease(pool, 'it');
    monitor.start();
    const pid = await standStill(pool, 'it');
    await monitor.check(KEY);
    expect(pool.state(KEY)).toMatchObject({ name: 'failing', failure: { code: 'never_answers' }, attempt: 1 });
    await monitor.check(KEY);
    expect(pool.state(KEY)).toMatchObject({ name: 'failing', attempt: 2 });
    process.kill(pid, 'SIGCONT');
    await monitor.check(KEY);
    expect(pool.state(KEY).name).toBe('connected');
    expect(isAlive(pid)).toBe(true);
    expect(changes.map(({ from, to }) => [from, to])).toEqual([['connected', 'failing'], ['failing', 'connected']]);
    expect(history.describe('it').lastFailure).toMatchObject({ code: 'never_answers' });
    lease.release();
  });

  it('does not hold against a server that it is silent at a call, and hears an answered call', async () => {
    const { monitor, pool, bus, beAtWork } = watch([['it', 'echo']]);
    await requireLease(pool, 'it');
    monitor.start();
    const pid = await standStill(pool, 'it');
    beAtWork(1);
    await monitor.check(KEY);
    expect(pool.state(KEY).name).toBe('connected');
    beAtWork(0);
    await monitor.check(KEY);
    expect(pool.state(KEY).name).toBe('failing');
    process.kill(pid, 'SIGCONT');
    const row = { serverKey: 'it', outcome: 'ok', finishedAt: Date.now() + 1 };
    // Of the row only this is read.
    bus.publish({ type: 'ledger.row', cursor: 1, row } as unknown as Parameters<LiveBus['publish']>[0]);
    expect(pool.state(KEY).name).toBe('connected');
  });

  it('does not wake a stdio server that is idle, unless it is told to', async () => {
    const { monitor, pool } = watch([['it', 'echo']]);
    (await requireLease(pool, 'it')).release();
    await pool.drop(KEY);
    monitor.start();
    await monitor.check(KEY);
    expect(pool.state(KEY).name).toBe('untested');
    settings = { ...settings, wake_idle: true };
    await monitor.check(KEY);
    expect(pool.state(KEY).name).toBe('connected');
    expect(samples()).toMatchObject([{ state: 'connected', ok: 1 }]);
  });

  it('keeps no connection from becoming idle by looking at it', async () => {
    const { monitor, pool } = watch([['it', 'echo']]);
    const lease = await requireLease(pool, 'it');
    const before = pool.peek(KEY);
    monitor.start();
    await monitor.check(KEY);
    expect(pool.peek(KEY)).toBe(before);
    lease.release();
    await monitor.check(KEY);
    expect(pool.peek(KEY)).toBe(before);
  });

  it('delays no server for another that hangs, and checks none twice at once', async () => {
    const { monitor, pool } = watch([['slow', 'echo'], ['quick', 'echo', { env: { RAW_OTHER: '1' } }]], { answerMs: 5_000 });
    await requireLease(pool, 'slow');
    await requireLease(pool, 'quick');
    monitor.start();
    const pid = await standStill(pool, 'slow');
    const slow = monitor.check(toKey('slow'));
    expect(monitor.check(toKey('slow'))).toBe(slow);
    await monitor.check(toKey('quick'));
    expect(samples()).toMatchObject([{ key: 'quick', ok: 1 }]);
    process.kill(pid, 'SIGCONT');
    await slow;
    expect(samples()).toMatchObject([{ key: 'quick', ok: 1 }, { key: 'slow', ok: 1 }]);
  });

  it('checks by its own clock, and follows what the connections tell', async () => {
    settings = { ...settings, interval_s: 0.05 };
    const { monitor, pool } = watch([['it', 'echo']]);
    const lease = await requireLease(pool, 'it');
    monitor.start();
    await until(() => (samples() as unknown[]).length >= 3, 'three checks came by themselves');
    const { processId } = lease.connection.facts;
    settings = { ...settings, interval_s: 3600 };
    process.kill(processId ?? 0, 'SIGKILL');
    await until(() => changes.some(({ to }) => to === 'failing'), 'the end of the process was put on record');
    expect(changes[0]).toMatchObject({ serverKey: 'it', from: 'connected', to: 'failing', code: 'exited' });
    expect(monitor.works).toBe(true);
  });

  it('keeps what tests find without taking them for the state, and stops with the process', async () => {
    const { monitor, pool } = watch([['it', 'echo']]);
    await requireLease(pool, 'it');
    monitor.start();
    monitor.noteTest(KEY, { at: Date.now(), ok: false, latencyMs: null, code: 'refused', message: 'It refused.', remediation: 'Start it.' });
    expect(history.describe('it')).toMatchObject({ state: 'connected', lastFailure: { code: 'refused' } });
    const closed = monitor.close();
    await monitor.check(KEY);
    await closed;
    expect(monitor.works).toBe(false);
    expect(samples()).toEqual([]);
    expect(never.aborted).toBe(false);
  });

  it('finds a server elsewhere that is gone behind a connection that stands, and no other than it', async () => {
    const refused: ConnectFailure = { stage: 'connect', code: 'refused', message: 'it refused the connection.', remediation: 'Start it.', evidence: {} };
    const answers: WireAnswer[] = [
      { kind: 'not_sent', failure: refused },
      { kind: 'result', result: {} },
      { kind: 'not_sent', failure: refused, retryAfterMs: 1000 },
      { kind: 'not_sent', failure: { ...refused, code: 'session_lost' } },
      { kind: 'lost', failure: refused },
    ];
    const facts = { transport: 'http', era: 'modern', protocolVersion: '2026-07-28', serverInfo: null, instructions: null, processId: null, connectedAt: 5 } as const;
    const found: string[] = [];
    const pool: MonitorOptions['pool'] = {
      state: (key) => monitor.findSilence(key, 5) ?? { name: 'connected', facts },
      peek: () => ({ facts, ping: () => Promise.resolve(answers.shift() ?? { kind: 'aborted', sent: false }) }),
      acquire: () => Promise.reject(new Error('not asked for')),
    };
    const { monitor } = watch([['it', 'echo']], { pool });
    monitor.start();
    while (answers.length > 0) {
      await monitor.check(KEY);
      found.push(pool.state(KEY).name);
    }
    expect(found).toEqual(['failing', 'connected', 'connected', 'connected', 'failing']);
    expect(history.describe('it').lastFailure).toMatchObject({ code: 'refused', remediation: 'Start it.' });
  });

  it('looks after servers that come and go', async () => {
    const { monitor, records, bus, pool } = watch([['it', 'echo']]);
    await requireLease(pool, 'it');
    monitor.start();
    records.push(toRecord('late', 'echo', { env: { RAW_OTHER: '2' } }));
    await requireLease(pool, 'late');
    bus.publish({ type: 'servers.changed' });
    expect(history.describe('late').state).toBe('connected');
    records.splice(0, 1, toRecord('it', 'echo', { enabled: false }));
    bus.publish({ type: 'server.changed', key: 'it' });
    expect(changes).toMatchObject([{ serverKey: 'it', from: 'connected', to: 'disabled' }]);
    records.splice(0, 1);
    bus.publish({ type: 'servers.changed' });
    await monitor.check(KEY);
    expect(samples()).toEqual([]);
  });
});
