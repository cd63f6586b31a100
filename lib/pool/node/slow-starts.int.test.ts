import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ok } from '@/lib/core';
import { findConnectMs } from './set-up/connect-clock';
import { never, resolvedStdio, SERVERS, toKey, until, watchedCall } from './testing';
import { makePool, requireLease, toRecord } from './testing-pools';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A stand-in for npx: installs for as long as there is no file `installed`, telling of it, then becomes the server. */
function makeRunner(mode: string) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-runner-'));
  folders.push(folder);
  const runner = join(folder, 'npx');
  const installed = join(folder, 'installed');
  writeFileSync(runner, [
    '#!/bin/sh', 'count=0',
    `while [ ! -e '${installed}' ]; do count=$((count+1)); echo "fetching part $count" >&2; sleep 0.05; done`,
    'echo "installed" >&2', `exec '${process.execPath}' '${SERVERS}raw-stdio.mjs' ${mode}`,
  ].join('\n'));
  chmodSync(runner, 0o755);
  const resolved = { ...resolvedStdio(runner, ['-y', 'some-server'], { era: 'legacy' }), key: toKey('slow') };
  return { resolved, install: () => writeFileSync(installed, '') };
}

describe('a package runner that installs first', () => {
  it('has a clock of its own, and shows how far it is without flooding anybody', async () => {
    const { resolved, install } = makeRunner('stderrLater');
    expect(findConnectMs(resolved)).toBe(120_000);
    const { pool, messages } = makePool([toRecord('slow', 'ok')], { resolve: () => ok(resolved) });
    const acquiring = requireLease(pool, 'slow');
    const progress = () => {
      const state = pool.state(toKey('slow'));
      return state.name === 'starting' ? state.progress : null;
    };
    await until(() => /fetching part [1-9]\d/.test(progress() ?? ''), 'it tells of its progress');
    install();
    const lease = await acquiring;
    expect(pool.state(toKey('slow')).name).toBe('connected');
    const told = messages.filter(({ type }) => type === 'server.changed').length;
    // What a server says on stderr later is its log: it has started.
    await lease.connection.callTool(watchedCall('echo', {}), never);
    await until(() => pool.lines(toKey('slow')).some(({ text }) => text === 'said later'), 'it said more');
    expect(pool.state(toKey('slow')).name).toBe('connected');
    expect(messages.filter(({ type }) => type === 'server.changed').length).toBe(told);
  });

  it('that prints thousands of lines is told of a few times', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-runner-'));
    folders.push(folder);
    const runner = join(folder, 'npx');
    writeFileSync(runner, `#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10; do for j in $(seq 1 500); do echo "part $i $j" >&2; done; sleep 0.05; done\nexec '${process.execPath}' '${SERVERS}raw-stdio.mjs' ok`);
    chmodSync(runner, 0o755);
    const { pool, messages } = makePool([toRecord('slow', 'ok')], { resolve: () => ok({ ...resolvedStdio(runner, [], { era: 'legacy' }), key: toKey('slow') }) });
    (await requireLease(pool, 'slow')).release();
    expect(messages.filter(({ type }) => type === 'server.changed').length).toBeLessThan(40);
  });

  it('can be tried again after its install was killed', async () => {
    const { resolved, install } = makeRunner('ok');
    const { pool, children } = makePool([toRecord('slow', 'ok')], { resolve: () => ok(resolved) });
    const acquiring = pool.acquire(toKey('slow'), 'call', never);
    await until(() => children.list().length === 1, 'it runs');
    process.kill(-(children.list()[0]?.processGroup ?? 0), 'SIGKILL');
    expect(await acquiring).toMatchObject({ ok: false, error: { code: 'exited_at_once', evidence: { signal: 'SIGKILL' } } });
    expect(pool.state(toKey('slow'))).toMatchObject({ name: 'failing', attempt: 1 });
    install();
    (await requireLease(pool, 'slow')).release();
    expect(pool.state(toKey('slow')).name).toBe('connected');
  });
});

describe('servers that start together', () => {
  it('wait for none: the instant one can be used, the slow one comes, the silent one is told alone', async () => {
    const records = [
      toRecord('instant', 'ok', { connect: 'start' }),
      toRecord('later', 'slowStart', { connect: 'start', env: { RAW_DELAY_MS: '4000' }, limits: { connect_s: 60 } }),
      toRecord('silent', 'silent', { connect: 'start', limits: { connect_s: 8 } }),
    ];
    const { pool } = makePool(records, { backoff: { firstMs: 600_000, longestMs: 600_000 } });
    pool.connectEnabled();
    const lease = await requireLease(pool, 'instant');
    expect((await lease.connection.callTool(watchedCall('echo', {}), never)).kind).toBe('result');
    expect([pool.state(toKey('later')).name, pool.state(toKey('silent')).name]).toEqual(['starting', 'starting']);
    await until(() => pool.state(toKey('later')).name === 'connected', 'the slow one is there');
    await until(() => pool.state(toKey('silent')).name === 'failing', 'the silent one is told');
    expect(pool.state(toKey('silent'))).toMatchObject({ failure: { code: 'never_answers' } });
    expect([pool.state(toKey('instant')).name, pool.state(toKey('later')).name]).toEqual(['connected', 'connected']);
  });

  it('connect although ten of a hundred hang', async () => {
    const hung = Array.from({ length: 10 }, (_, index) => `hung${index}`);
    const well = Array.from({ length: 90 }, (_, index) => `well${index}`);
    // Spread, the hanging ones first where that matters most.
    const order = [...hung.slice(0, 8), ...well.slice(0, 45), ...hung.slice(8), ...well.slice(45)];
    const records = order.map((key) => toRecord(key, key.startsWith('hung') ? 'hangs' : 'sh', { connect: 'start', limits: { connect_s: 300 } }));
    const { pool } = makePool(records, {
      resolve: (entry) => ok({ ...resolvedStdio('/bin/sh', [`${SERVERS}tiny-stdio.sh`, ...(entry.key.startsWith('hung') ? ['hang'] : [])], { env: { KEY: entry.key }, era: 'legacy' }), key: entry.key, limits: entry.limits }),
    });
    pool.connectEnabled();
    await until(() => well.every((key) => pool.state(toKey(key)).name === 'connected'), 'the ninety are connected', 50_000);
    expect(hung.map((key) => pool.state(toKey(key)).name)).toEqual(hung.map(() => 'starting'));
  });
});

describe('a server that was killed while nobody used it', () => {
  it('is shown so, with what it offered before, and the next call starts it', async () => {
    const { pool, kept } = makePool([toRecord('one', 'ok')]);
    const lease = await requireLease(pool, 'one');
    const pid = lease.connection.facts.processId ?? 0;
    lease.release();
    process.kill(pid, 'SIGKILL');
    await until(() => pool.state(toKey('one')).name !== 'connected', 'it is not shown as connected');
    expect(pool.state(toKey('one'))).toMatchObject({ name: 'failing', failure: { code: 'exited', evidence: { signal: 'SIGKILL' } } });
    expect(pool.snapshot(toKey('one'))).toMatchObject({ toolList: { tools: [{ name: 'echo' }] }, readAt: kept.get(toKey('one'))?.snapshot.readAt });
    const again = await requireLease(pool, 'one');
    expect((await again.connection.callTool(watchedCall('echo', {}), never)).kind).toBe('result');
    expect(pool.state(toKey('one')).name).toBe('connected');
  });
});
