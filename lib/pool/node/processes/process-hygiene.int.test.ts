import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnection, sweepLeftovers } from '..';
import type { ChildRecord } from './child-records';
import { isAlive, killAll, MemoryRecords, never, resolvedRaw, SERVERS, until, watch } from '../testing';

let folder = '';
let pidFile = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-hygiene-'));
  pidFile = join(folder, 'pids');
});
afterEach(() => {
  killAll(readPids());
  rmSync(folder, { recursive: true, force: true });
});

function readPids(): number[] {
  try {
    return readFileSync(pidFile, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const alive = () => readPids().filter(isAlive);

describe.skipIf(process.platform !== 'linux')('descendants of a stdio server', () => {
  it('are all gone after a close: in its group, deaf, and one that left the group', async () => {
    const watched = watch(resolvedRaw('forks', { env: { RAW_PIDS: pidFile } }));
    const opened = await openConnection(watched.options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(alive()).toHaveLength(4);
    expect(watched.records.list()).toHaveLength(1);
    await opened.value.close();
    expect(alive()).toEqual([]);
    expect(watched.records.list()).toEqual([]);
  });

  it('do not outlive a server that ignores the end of stdin and SIGTERM', async () => {
    const opened = await openConnection(watch(resolvedRaw('deaf', { env: { RAW_PIDS: pidFile } })).options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(alive().length).toBeGreaterThan(0);
    await opened.value.close();
    expect(alive()).toEqual([]);
  });

  it('are gone when a set-up fails, before that is told', async () => {
    const watched = watch(resolvedRaw('forksSilent', { env: { RAW_PIDS: pidFile }, limits: { connect_s: 3 } }));
    expect(await openConnection(watched.options, never)).toMatchObject({ ok: false, error: { code: 'never_answers' } });
    expect(readPids().length).toBeGreaterThan(0);
    expect(alive()).toEqual([]);
  });

  it('are gone when the server exits by itself', async () => {
    const watched = watch(resolvedRaw('forks', { env: { RAW_PIDS: pidFile } }));
    const opened = await openConnection(watched.options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    process.kill(opened.value.facts.processId ?? 0, 'SIGKILL');
    await until(() => alive().length === 0, 'the descendants are gone');
    await until(() => watched.records.list().length === 0, 'the record is removed');
  });

  it('that a killed process left are ended by the next, and only those whose owner is gone', async () => {
    const owner = spawn(process.execPath, [`${SERVERS}pool-owner.mjs`, `${SERVERS}raw-stdio.mjs`, 'forksSilent'], {
      env: { ...process.env, RAW_PIDS: pidFile }, stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    // The fixture's own output, in the shape of a record.
    const { record } = JSON.parse(line.toString()) as { record: ChildRecord };
    await until(() => readPids().length === 3, 'the child has its descendants');
    const records = new MemoryRecords();
    records.add(record);
    expect(await sweepLeftovers(records)).toBe(0);
    expect(alive()).toHaveLength(3);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await sweepLeftovers(records)).toBe(1);
    expect(alive()).toEqual([]);
    expect(records.list()).toEqual([]);
  });

  it('are never told by number alone: a record whose process started at another time ends nothing', async () => {
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)'], { detached: true, stdio: 'ignore' });
    await once(stranger, 'spawn');
    const records = new MemoryRecords();
    records.add({
      marker: 'f'.repeat(32), serverKey: 'x', processGroup: stranger.pid ?? 0, startTicks: '1', ownerProcess: 2_147_483_000, ownerStartTicks: '1', startedAt: 0,
    });
    try {
      expect(await sweepLeftovers(records)).toBe(0);
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
      expect(records.list()).toEqual([]);
    } finally {
      killAll([stranger.pid ?? 0]);
    }
  });
});
