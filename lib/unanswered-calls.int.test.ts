import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Principal } from '@/lib/auth';
import type { CallResult } from '@/lib/calls';
import { callIds, type JsonObject } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import { FileServers, type ServerDirectory } from '@/lib/servers/node';
import { openRuntime, type Runtime } from './boot';
import { readEnvironment } from './env';
import { createLogger } from './log';

/** Calls to a hand-made server that hangs, dies, floods, answers late and recovers, through all of the console. */

const ROOT = join(import.meta.dirname, '..');
const MOODY = join(ROOT, 'e2e', 'servers', 'moody-stdio.mjs');
const never = new AbortController().signal;

let directory: string;
let opened: Runtime[];
const at = (name: string): string => join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-moody-'));
  writeFileSync(at('log'), '');
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((runtime) => runtime.close()));
  rmSync(directory, { recursive: true, force: true });
});

async function open(use: 'console' | 'command' = 'command', servers?: () => ServerDirectory): Promise<Runtime> {
  const runtime = await openRuntime({
    env: readEnvironment({ SIGNALBOX_HOME: at('home'), SIGNALBOX_PACKAGE_ROOT: ROOT, PATH: process.env.PATH }, undefined),
    use,
    servers,
    log: (redactor) => createLogger({ level: 'error', redactor, destination: 'stderr' }),
  });
  opened.push(runtime);
  return runtime;
}

const principalOf = (runtime: Runtime): Principal => {
  const actor = { kind: 'person', name: 'ann@example.org' } as const;
  return { actor, role: 'admin', sessionRunId: runtime.runs.sessionRun('test', actor) };
};

interface Fields {
  readonly key?: string;
  readonly limits?: JsonObject;
  readonly manifest?: boolean;
}

const fieldsOf = ({ key = 'moody', limits = {}, manifest = false }: Fields) => ({
  key, label: 'moody', command: process.execPath, args: [MOODY], era: 'legacy', connect: 'use',
  env: { MOODY_LOG: at('log'), MOODY_DOWN: at('down'), ...(manifest && { MOODY_MANIFEST: '1' }) },
  limits: { idle_s: 0.4, total_s: 5, failures_to_open: 3, cooldown_s: 60, max_concurrent_calls: 2, ...limits },
});

function add(runtime: Runtime, fields: Fields = {}): void {
  const saved = runtime.store.create(fieldsOf(fields), principalOf(runtime));
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
}

function call(runtime: Runtime, tool: string, args: JsonObject = {}, key = 'moody', signal = never): Promise<CallResult> {
  const principal = principalOf(runtime);
  return runtime.calls.call(
    { callId: callIds.create(), serverKey: toServerKey(key), tool, arguments: args, runId: principal.sessionRunId, totalMs: null, tryAnyway: false, requiresExposure: false },
    principal,
    signal,
  );
}

const logged = (): string[] => readFileSync(at('log'), 'utf8').split('\n').filter((line) => line !== '');
const outcomesOf = async (calls: readonly Promise<CallResult>[]) => (await Promise.all(calls)).map(({ outcome, error }) => error?.code ?? outcome);

/** Calls from a process of its own on the same data directory, as a command does beside the console. */
async function callElsewhere(tool: string): Promise<{ outcome: string; code: string | null }> {
  const url = (...parts: string[]) => JSON.stringify(pathToFileURL(join(import.meta.dirname, ...parts)));
  const source = `
    const { openRuntime } = await import(${url('boot.ts')});
    const { readEnvironment } = await import(${url('env.ts')});
    const { callIds } = await import(${url('core', 'index.ts')});
    const runtime = await openRuntime({ env: readEnvironment(), use: 'command' });
    const actor = { kind: 'cli', name: 'cli:ann' };
    const principal = { actor, role: 'admin', sessionRunId: runtime.runs.sessionRun('elsewhere ' + process.pid, actor) };
    const request = { callId: callIds.create(), serverKey: 'moody', tool: ${JSON.stringify(tool)}, arguments: {}, runId: principal.sessionRunId, totalMs: null, tryAnyway: false, requiresExposure: false };
    const { outcome, error } = await runtime.calls.call(request, principal, new AbortController().signal);
    await runtime.close();
    process.stdout.write(JSON.stringify({ outcome, code: error?.code ?? null }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source], {
    cwd: ROOT,
    // Another terminal: that makes no other configuration.
    env: { PATH: process.env.PATH, NODE_ENV: 'test', TERM: 'vt100', LANG: 'C', SIGNALBOX_HOME: at('home'), SIGNALBOX_PACKAGE_ROOT: ROOT },
  });
  return JSON.parse(stdout) as { outcome: string; code: string | null }; // it was written above
}

it('a server that hangs is told of each call that is given up, rests for every process, and is tried by one call when a person says so', async () => {
  const runtime = await open('console');
  add(runtime);
  writeFileSync(at('down'), '');
  expect(await call(runtime, 'answer')).toMatchObject({ outcome: 'ok' });
  for (let n = 0; n < 3; n += 1) expect(await call(runtime, 'mood')).toMatchObject({ outcome: 'timeout', error: { message: expect.stringContaining('idle limit') as string } });
  await expect.poll(() => logged().filter((line) => line === 'cancelled mood')).toHaveLength(3);
  expect(runtime.pool.state(toServerKey('moody'))).toMatchObject({ name: 'resting', reason: '3 calls in a row were not answered; the last one, mood, ran out of time.' });

  const refused = await call(runtime, 'mood');
  expect(refused).toMatchObject({ outcome: 'not_sent', sentAt: null, error: { code: 'server_resting', details: { seconds_left: expect.any(Number) as number } } });
  expect(runtime.ledger.reader.find(refused.sequence)).toMatchObject({ outcome: 'not_sent', error: { code: 'server_resting' } });
  expect(await callElsewhere('mood')).toEqual({ outcome: 'not_sent', code: 'server_resting' });
  expect(logged().filter((line) => line === 'call mood')).toHaveLength(3);

  const fingerprint = runtime.fingerprintOf(toServerKey('moody')) ?? '';
  rmSync(at('down'));
  expect(runtime.guards.letOneThrough(fingerprint)).toBe(true);
  expect(await callElsewhere('mood')).toEqual({ outcome: 'ok', code: null });
  expect(await call(runtime, 'mood')).toMatchObject({ outcome: 'ok' });
}, 120_000);

it('a rest holds across a restart, for a file that names the same configuration, and is over after its time', async () => {
  const first = await open();
  add(first, { limits: { failures_to_open: 1, cooldown_s: 4 } });
  writeFileSync(at('down'), '');
  expect(await outcomesOf([call(first, 'mood')])).toEqual(['timeout']);
  await first.close();

  const again = await open();
  expect(await outcomesOf([call(again, 'answer')])).toEqual(['server_resting']);
  writeFileSync(at('servers.json'), JSON.stringify({ mcpServers: { other: { ...fieldsOf({ limits: { cooldown_s: 4 } }), key: undefined } } }));
  const read = FileServers.read(at('servers.json'));
  if (!read.ok) throw new Error(read.error.message);
  const named = await open('command', () => read.value);
  expect(await outcomesOf([call(named, 'answer', {}, 'other')])).toEqual(['server_resting']);
  await expect.poll(async () => outcomesOf([call(named, 'answer', {}, 'other')]), { timeout: 20_000, interval: 500 }).toEqual(['ok']);
  expect(await outcomesOf([call(again, 'answer')])).toEqual(['ok']);
}, 60_000);

it('a server that dies at each call comes to its rest, although each new connection reads its manifest', async () => {
  const runtime = await open();
  add(runtime, { manifest: true, limits: { idle_s: 5 } });
  for (let n = 0; n < 3; n += 1) expect(await call(runtime, 'die')).toMatchObject({ outcome: 'unknown', error: { code: 'connection_lost' } });
  expect(await outcomesOf([call(runtime, 'answer')])).toEqual(['server_resting']);
  expect(logged()).toEqual(['call die', 'call die', 'call die']);
}, 60_000);

it('what a person cancels, what a long-running tool takes and what the console itself closes count for nothing', async () => {
  const runtime = await open();
  add(runtime, { manifest: true, limits: { failures_to_open: 1, idle_s: 1, tools: { long: { idle_s: 1, total_s: 1 } } } });
  const cancel = new AbortController();
  const cancelled = call(runtime, 'hang', {}, 'moody', cancel.signal);
  await expect.poll(logged).toContain('call hang');
  cancel.abort();
  expect(await cancelled).toMatchObject({ outcome: 'cancelled' });
  const given = await call(runtime, 'long');
  expect(given).toMatchObject({ outcome: 'timeout' });
  expect(given.error?.message).toContain('total limit');
  const closed = call(runtime, 'long');
  await expect.poll(() => logged().filter((line) => line === 'call long')).toHaveLength(2);
  await runtime.pool.drop(toServerKey('moody'));
  expect(await closed).toMatchObject({ outcome: 'unknown', error: { message: expect.stringContaining('The console closed its connection') as string } });
  expect(await outcomesOf([call(runtime, 'answer')])).toEqual(['ok']);
}, 60_000);

it('an answer that comes late stands on its entry as late, and one that floods is bounded by total alone', async () => {
  const runtime = await open();
  add(runtime, { limits: { idle_s: 1, total_s: 2, failures_to_open: 10 } });
  const late = await call(runtime, 'late', { ms: 2000 });
  expect(late).toMatchObject({ outcome: 'timeout', error: { message: expect.stringContaining('idle limit') as string } });
  await expect.poll(() => runtime.ledger.reader.find(late.sequence)?.lateAnswerAt, { timeout: 20_000 }).toEqual(expect.any(Number));
  expect(runtime.ledger.reader.find(late.sequence)).toMatchObject({ outcome: 'timeout' });
  const flooded = await call(runtime, 'flood', { ms: 60_000 });
  expect(flooded).toMatchObject({ outcome: 'timeout', error: { message: expect.stringContaining('total limit') as string } });
  expect(runtime.ledger.reader.find(flooded.sequence)?.progress.length).toBeLessThanOrEqual(501);
}, 60_000);

it('entries of one configuration share its rest and its queue; who waits is told how many are ahead', async () => {
  const runtime = await open();
  add(runtime, { limits: { failures_to_open: 1, idle_s: 1 } });
  add(runtime, { key: 'twin', limits: { failures_to_open: 1, idle_s: 1 } });
  const calls = [call(runtime, 'hang'), call(runtime, 'hang', {}, 'twin'), call(runtime, 'answer'), call(runtime, 'answer', {}, 'twin')];
  await expect.poll(() => runtime.calls.loadOf(toServerKey('twin'))).toEqual({ inFlight: 2, queued: 2 });
  expect(runtime.calls.inFlight().map(({ ahead }) => ahead)).toEqual([null, null, 0, 1]);
  // One that was ahead went unanswered: those that waited are refused when it is their turn, and not sent.
  expect(await outcomesOf(calls)).toEqual(['timeout', 'timeout', 'server_resting', 'server_resting']);
  expect(logged().filter((line) => line.startsWith('call'))).toEqual(['call hang', 'call hang']);
}, 60_000);
