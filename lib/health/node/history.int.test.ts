import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { Redactor } from '@/lib/core';
import type { Verdict } from '..';
import { VerdictHistory } from './history';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let database: Database;
let now: number;
const clock = { now: () => now };
const open = () => new VerdictHistory({ database, redactor: new Redactor(['hunter2-hunter2']), clock });

beforeEach(() => {
  database = openTestDatabase();
  now = 1_800_000_000_000;
});
afterEach(() => database.close());

const verdict = (parts: Partial<Verdict> = {}): Verdict => ({
  serverKey: 'files', at: now, source: 'check', state: 'connected', ok: true, latencyMs: 10, code: null, message: null, remediation: null, ...parts,
});
const failing = (parts: Partial<Verdict> = {}) =>
  verdict({ state: 'failing', ok: false, latencyMs: null, code: 'refused', message: 'it refused hunter2-hunter2', remediation: 'Start it.', ...parts });
const count = () => z.number().parse(database.sqlite.prepare('SELECT count(*) FROM health_verdicts').pluck().get());

describe('the history of verdicts', () => {
  it('says since when a server stands so, over restarts and samples', () => {
    open().record(verdict());
    const since = now;
    now += HOUR_MS;
    open().record(verdict());
    expect(open().describe('files')).toMatchObject({ state: 'connected', since, lastAskedAt: now, latencyMs: 10 });
    expect(open().describe('other')).toEqual({ state: null, since: null, lastFailure: null, lastAskedAt: null, latencyMs: null });
  });

  it('keeps what the connection tells only where the state changes, and tells people of news alone', () => {
    const history = open();
    expect(history.record(verdict({ source: 'connection', ok: null }))).toBeNull();
    history.record(verdict({ source: 'connection', ok: null }));
    expect(count()).toBe(1);
    expect(history.record(verdict({ source: 'connection', state: 'idle', ok: null }))).toBeNull();
    expect(history.record(failing())).toMatchObject({ from: 'idle', to: 'failing', code: 'refused', serverKey: 'files' });
    expect(history.record(failing())).toBeNull();
    expect(history.record(verdict())).toMatchObject({ from: 'failing', to: 'connected' });
    expect(history.listChanges('files', 10).map((change) => change.to)).toEqual(['connected', 'failing']);
  });

  it('keeps the last failure after the server recovered, without secrets', () => {
    const history = open();
    history.record(failing());
    now += 1;
    history.record(verdict());
    const { lastFailure } = history.describe('files');
    expect(lastFailure).toMatchObject({ at: now - 1, code: 'refused', remediation: 'Start it.' });
    expect(lastFailure?.message).not.toContain('hunter2');
    expect(JSON.stringify(database.sqlite.prepare('SELECT * FROM state_changes').all())).not.toContain('hunter2');
  });

  it('sums a day up in columns, each server apart', () => {
    const history = open();
    history.record(verdict({ at: now - 2 * DAY_MS, latencyMs: 9999 }));
    history.record(verdict({ at: now - 3 * HOUR_MS, latencyMs: 10 }));
    history.record(verdict({ at: now - 3 * HOUR_MS, latencyMs: 30 }));
    history.record(failing({ at: now - HOUR_MS }));
    history.record(verdict({ serverKey: 'other', latencyMs: 7 }));
    expect(history.latency('files').map(({ meanMs, maxMs, unanswered }) => ({ meanMs, maxMs, unanswered }))).toEqual([
      { meanMs: 20, maxMs: 30, unanswered: 0 },
      { meanMs: null, maxMs: null, unanswered: 1 },
    ]);
    expect(history.latency('other')).toHaveLength(1);
  });

  it('forgets what is old, but not since when a server stands as it does', () => {
    const history = open();
    history.record(failing({ at: now - 200 * DAY_MS }));
    history.record(verdict({ at: now - 150 * DAY_MS }));
    for (let day = 100; day > 0; day -= 10) history.record(verdict({ at: now - day * DAY_MS }));
    history.prune(90 * DAY_MS);
    expect(count()).toBe(1);
    expect(history.describe('files')).toMatchObject({ state: 'connected', since: now - 150 * DAY_MS });
    expect(history.listChanges('files', 10)).toEqual([]);
  });

  it('reads each of its questions from an index', () => {
    open();
    const plan = (query: string) => JSON.stringify(database.sqlite.prepare(`EXPLAIN QUERY PLAN ${query}`).all());
    expect(plan(`SELECT at, state FROM health_verdicts WHERE server_key = 'a' AND is_change = 1 ORDER BY id DESC LIMIT 1`)).toContain('health_verdicts_changes');
    expect(plan(`SELECT at FROM health_verdicts WHERE server_key = 'a' AND code IS NOT NULL ORDER BY id DESC LIMIT 1`)).toContain('health_verdicts_failures');
    expect(plan(`SELECT at FROM health_verdicts WHERE server_key = 'a' AND ok IS NOT NULL ORDER BY id DESC LIMIT 1`)).toContain('health_verdicts_asked');
    expect(plan(`SELECT server_key, avg(latency_ms) FROM health_verdicts INDEXED BY health_verdicts_at WHERE at >= 1 AND ok IS NOT NULL GROUP BY server_key`)).toContain('COVERING INDEX health_verdicts_at');
  });
});
