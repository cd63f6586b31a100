import { describe, expect, it } from 'vitest';
import { err, ok } from '@/lib/core';
import { explainFailure, type ConnectFailure } from '..';
import { openConnection, type Connection, type OpenConnection } from '.';
import { isAlive, never, resolvedStdio, SERVERS, toKey, until, watchedCall } from './testing';
import { makePool, requireLease, toRecord } from './testing-pools';

describe('the pool', () => {
  it('starts identical servers once, however many ask, and answers them all', async () => {
    const { pool, started } = makePool([toRecord('one', 'ok'), toRecord('two', 'ok')]);
    const leases = await Promise.all(['one', 'one', 'two', 'one'].map((key) => requireLease(pool, key)));
    expect(started).toHaveLength(1);
    expect(new Set(leases.map((lease) => lease.connection)).size).toBe(1);
    expect(pool.state(toKey('two')).name).toBe('connected');
    expect(await leases[0]?.connection.callTool(watchedCall('echo', { text: 'x' }), never)).toMatchObject({ kind: 'result' });
  });

  it('closes what nobody uses, keeps what it offered, and opens it again for the next call', async () => {
    const { pool, started, children } = makePool([toRecord('one', 'ok')], { idleAfterMs: 100 });
    const lease = await requireLease(pool, 'one');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pool.state(toKey('one')).name).toBe('connected');
    lease.release();
    lease.release();
    await until(() => pool.state(toKey('one')).name === 'idle', 'it is idle');
    await until(() => children.list().length === 0, 'its process is gone');
    expect(pool.snapshot(toKey('one'))?.toolList.tools).toHaveLength(1);
    (await requireLease(pool, 'one')).release();
    expect(started).toHaveLength(2);
  });

  it('shows a server that died while idle as failing, at once, and starts it again by itself', async () => {
    const { pool, messages, started } = makePool([toRecord('one', 'ok', { connect: 'start' })]);
    pool.connectEnabled();
    await until(() => pool.state(toKey('one')).name === 'connected', 'it is connected');
    const state = pool.state(toKey('one'));
    const pid = state.name === 'connected' ? (state.facts.processId ?? 0) : 0;
    const seen: string[] = [];
    messages.length = 0;
    process.kill(pid, 'SIGKILL');
    await until(() => {
      const { name } = pool.state(toKey('one'));
      if (seen.at(-1) !== name) seen.push(name);
      return started.length === 2 && name === 'connected';
    }, 'it is connected again');
    expect(seen).toContain('failing');
    expect(messages.some((message) => message.type === 'server.changed' && message.key === 'one')).toBe(true);
  });

  it('tries again ever more rarely, visibly, and at once for a call', async () => {
    const { pool, started } = makePool([toRecord('one', 'exit3', { connect: 'start' })], { backoff: { firstMs: 60_000, longestMs: 60_000 } });
    pool.connectEnabled();
    await until(() => pool.state(toKey('one')).name === 'failing', 'it fails');
    const state = pool.state(toKey('one'));
    if (state.name !== 'failing') throw new Error(state.name);
    expect(state).toMatchObject({ attempt: 1, failure: { code: 'exited_at_once', evidence: { exitCode: 3 } } });
    expect(state.nextTryAt).toBeGreaterThan(Date.now());
    const before = started.length;
    expect(await pool.acquire(toKey('one'), 'background', never)).toMatchObject({ ok: false });
    expect(started).toHaveLength(before);
    expect(await pool.acquire(toKey('one'), 'call', never)).toMatchObject({ ok: false, error: { code: 'exited_at_once' } });
    expect(started.length).toBe(before + 1);
    expect(pool.state(toKey('one'))).toMatchObject({ name: 'failing', attempt: 2 });
  });

  it('keeps what a server says while it ends, after an edit too', async () => {
    const script = `'${process.execPath}' '${SERVERS}raw-stdio.mjs' ok; echo "has let go of its lock" >&2`;
    let args = ['-c', script];
    const { pool } = makePool([toRecord('one', 'any')], {
      resolve: (entry) => ok({ ...resolvedStdio('/bin/sh', args, { era: 'legacy' }), key: entry.key }),
    });
    (await requireLease(pool, 'one')).release();
    args = ['-c', `exec '${process.execPath}' '${SERVERS}raw-stdio.mjs' ok`];
    await pool.drop(toKey('one'));
    expect(pool.lines(toKey('one')).map(({ text }) => text)).toContain('has let go of its lock');
    expect(pool.state(toKey('one')).name).toBe('untested');
  });

  it('keeps saying why it failed while it is tried again', async () => {
    const { pool } = makePool([toRecord('one', 'exit3')]);
    const states: unknown[] = [];
    for (let index = 0; index < 2; index += 1) {
      const opening = pool.acquire(toKey('one'), 'call', never);
      states.push(pool.state(toKey('one')));
      expect(await opening).toMatchObject({ ok: false });
    }
    expect(states[0]).toMatchObject({ name: 'starting', attempt: 1 });
    expect(states[0]).not.toHaveProperty('lastFailure');
    expect(states[1]).toMatchObject({ name: 'starting', attempt: 2, lastFailure: { code: 'exited_at_once', evidence: { exitCode: 3 } } });
  });

  it('leaves one child after twenty reloads in a row of a server that is slow to end', async () => {
    const { pool, children } = makePool([toRecord('one', 'deaf')]);
    const key = toKey('one');
    (await requireLease(pool, 'one')).release();
    const ends: Promise<unknown>[] = [];
    for (let reload = 0; reload < 20; reload += 1) {
      ends.push(pool.drop(key));
      ends.push(pool.acquire(key, 'call', never).then((acquired) => acquired.ok && acquired.value.release()));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await Promise.all(ends);
    expect(pool.state(key).name).toBe('connected');
    expect(children.list()).toHaveLength(1);
  });

  it('ends what an edit, a disable or a delete leaves, and forgets its state', async () => {
    const { pool, records, children } = makePool([toRecord('one', 'ok')]);
    const lease = await requireLease(pool, 'one');
    const pid = lease.connection.facts.processId ?? 0;
    records[0] = toRecord('one', 'ok', { enabled: false });
    await pool.drop(toKey('one'));
    expect(isAlive(pid)).toBe(false);
    expect(children.list()).toEqual([]);
    expect(pool.state(toKey('one'))).toEqual({ name: 'disabled' });
    expect(await pool.acquire(toKey('one'), 'call', never)).toMatchObject({ ok: false, error: { code: 'disabled' } });
    records.length = 0;
    expect(await pool.acquire(toKey('one'), 'call', never)).toMatchObject({ ok: false, error: { code: 'config_invalid' } });
  });

  it('names the variable of a server that cannot be resolved, and waits for nothing', () => {
    const { pool } = makePool([toRecord('one', 'unresolvable')]);
    expect(pool.state(toKey('one'))).toMatchObject({ name: 'failing', failure: { code: 'variable_unresolved' }, nextTryAt: null });
  });

  it('connects eight at a time, and one that hangs delays no other', async () => {
    let open = 0;
    let most = 0;
    const slowly: OpenConnection = async ({ resolved }, signal) => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
        if (resolved.key !== 'hangs') setTimeout(resolve, 30);
      });
      open -= 1;
      return err<ConnectFailure>(explainFailure('refused', { stage: 'connect', server: resolved.key }));
    };
    const records = ['hangs', ...Array.from({ length: 30 }, (_, index) => `s${index}`)].map((key) =>
      toRecord(key, 'ok', { connect: 'start', env: { KEY: key } }));
    const { pool } = makePool(records, { open: slowly, backoff: { firstMs: 60_000, longestMs: 60_000 } });
    pool.connectEnabled();
    await until(() => records.slice(1).every(({ entry }) => pool.state(entry.key).name === 'failing'), 'all others are told');
    expect(pool.state(toKey('hangs')).name).toBe('starting');
    expect(most).toBe(8);
  });

  it('does not hear a connection that is no longer its own', async () => {
    const opened: Connection[] = [];
    const { pool } = makePool([toRecord('one', 'ok')], {
      open: async (options, signal) => {
        const result = await openConnection(options, signal);
        if (result.ok) opened.push(result.value);
        return result;
      },
    });
    (await requireLease(pool, 'one')).release();
    const dropped = pool.drop(toKey('one'));
    (await requireLease(pool, 'one')).release();
    await dropped;
    await opened[0]?.close();
    expect(pool.state(toKey('one')).name).toBe('connected');
  });

  it('keeps the log of a server across its connections and tells each line', async () => {
    const { pool, messages } = makePool([toRecord('one', 'dies')]);
    const lease = await requireLease(pool, 'one');
    expect(await lease.connection.callTool(watchedCall('die'), never)).toMatchObject({ kind: 'lost' });
    (await requireLease(pool, 'one')).release();
    expect(pool.lines(toKey('one')).map((line) => line.text)).toContain('FATAL: out of memory');
    expect(messages.some((message) => message.type === 'server.log' && message.line.text === 'FATAL: out of memory')).toBe(true);
  });

  it('closes all at once within its bound, and starts nothing after', async () => {
    const { pool, children, started } = makePool([
      toRecord('one', 'deaf'), ...Array.from({ length: 4 }, (_, index) => toRecord(`s${index}`, 'ok', { env: { KEY: String(index) } })),
    ]);
    for (const key of ['one', 's0', 's1', 's2', 's3']) await requireLease(pool, key);
    const beganAt = Date.now();
    await pool.close();
    expect(Date.now() - beganAt).toBeLessThan(9_000);
    expect(children.list()).toEqual([]);
    const before = started.length;
    expect(await pool.acquire(toKey('one'), 'call', never)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    pool.connectEnabled();
    expect(started).toHaveLength(before);
  });

  it('gives up waiting for one that asks no longer, not the attempt', async () => {
    const { pool, started } = makePool([toRecord('one', 'slowStart', { env: { RAW_DELAY_MS: '1500' } })]);
    const [first, second] = await Promise.all([
      pool.acquire(toKey('one'), 'call', AbortSignal.timeout(300)),
      pool.acquire(toKey('one'), 'call', never),
    ]);
    expect(first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(second.ok).toBe(true);
    expect(started).toHaveLength(1);
  });
});
