import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { ok } from '@/lib/core';
import { openConnection } from '.';
import { isAlive, killAll, MemoryRecords, never, resolvedStdio, SERVERS, toKey, until, watch, watchedCall } from './testing';
import { makePool, requireLease, toRecord } from './testing-pools';

setFlagsFromString('--expose-gc');
// What the flag exposes in a new context is the collector.
const collect = runInNewContext('gc') as () => void;

const CYCLES = 200;
const AT_ONCE = 20;
const MEBIBYTE = 1_048_576;

/** Every process that a test here starts, and whatever that starts, has it in its environment. */
const MARK = `LEAKS_OF=${process.pid}`;
afterEach(() => killAll(listStarted()));

function listStarted(): number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`).includes(MARK);
    } catch {
      return false;
    }
  });
}

/** What keeps this process busy, by kind: pipes, processes, timers; what belongs to the test itself is in every counting. */
function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Some come and go by themselves, so that a moment in which there are no more than before is waited for. */
async function untilNoMoreThan(before: ReadonlyMap<string, number>): Promise<void> {
  const more = () => [...countResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  await until(() => more().length === 0, `there is no more than before (${JSON.stringify([...before])}); now ${JSON.stringify(more())}`);
}

const countListeners = (): Record<string, number> =>
  Object.fromEntries([...process.eventNames(), 'SIGTERM', 'SIGINT', 'exit', 'uncaughtException'].map((name) => [String(name), process.listenerCount(name)]));

function heapBytes(): number {
  for (let round = 0; round < 3; round += 1) collect();
  return process.memoryUsage().heapUsed;
}

/** Runs so many jobs, some at once. */
async function runAll(count: number, job: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await job((next += 1));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const tiny = (...args: string[]) => resolvedStdio('/bin/sh', [`${SERVERS}tiny-stdio.sh`, ...args], { era: 'legacy', env: { LEAKS_OF: String(process.pid) } });

describe.skipIf(process.platform !== 'linux')('two hundred times opened and closed', () => {
  it('a server that forks leaves no process, no listener, no timer and no memory', { timeout: 240_000 }, async () => {
    const records = new MemoryRecords();
    /** One in eight never answers and is given up while it is set up. */
    const cycle = async (index: number) => {
      const isHung = index % 8 === 0;
      const watched = watch(isHung ? tiny('hang') : tiny('fork'), { children: records });
      const opened = await openConnection(watched.options, isHung ? AbortSignal.timeout(300) : never);
      expect(opened.ok).toBe(!isHung);
      if (!opened.ok) return;
      expect((await opened.value.callTool(watchedCall('echo'), never)).kind).toBe('result');
      const pid = opened.value.facts.processId ?? 0;
      await opened.value.close();
      expect(isAlive(pid)).toBe(false);
    };
    // What is made once, and kept, is made before the counting.
    await runAll(AT_ONCE, cycle);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const before = { resources: countResources(), listeners: countListeners(), heap: heapBytes() };
    await runAll(CYCLES, cycle);
    expect(records.list()).toEqual([]);
    expect(listStarted()).toEqual([]);
    expect(countListeners()).toEqual(before.listeners);
    await untilNoMoreThan(before.resources);
    expect(heapBytes() - before.heap).toBeLessThan(8 * MEBIBYTE);
  });

  it('through a pool, reloads leave the same', { timeout: 120_000 }, async () => {
    const { pool, children } = makePool([toRecord('one', 'sh')], { resolve: (entry) => ok({ ...tiny(), key: entry.key }) });
    const cycle = async () => {
      const lease = await requireLease(pool, 'one');
      expect((await lease.connection.callTool(watchedCall('echo'), never)).kind).toBe('result');
      lease.release();
      await pool.drop(toKey('one'));
    };
    for (let count = 0; count < 20; count += 1) await cycle();
    const before = { resources: countResources(), heap: heapBytes() };
    for (let count = 0; count < 80; count += 1) await cycle();
    expect(children.list()).toEqual([]);
    expect(listStarted()).toEqual([]);
    await untilNoMoreThan(before.resources);
    expect(heapBytes() - before.heap).toBeLessThan(8 * MEBIBYTE);
  });
});

it.skipIf(process.platform !== 'linux')('forty servers that will not end are ended together, within the time that a container gives', { timeout: 120_000 }, async () => {
  const records = Array.from({ length: 40 }, (_, index) => toRecord(`s${index}`, 'sh'));
  const { pool, children } = makePool(records, {
    resolve: (entry) => {
      const resolved = tiny('deaf');
      return ok({ ...resolved, key: entry.key, fingerprint: entry.key });
    },
  });
  await Promise.all(records.map(({ entry }) => requireLease(pool, entry.key)));
  expect(children.list()).toHaveLength(40);
  const beganAt = performance.now();
  await pool.close();
  expect(performance.now() - beganAt).toBeLessThan(10_000);
  expect(listStarted()).toEqual([]);
});
