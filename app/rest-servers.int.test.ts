import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRuntime, type Runtime } from '@/lib/boot';
import { runIds } from '@/lib/core';
import { readEnvironment } from '@/lib/env';
import { createLogger } from '@/lib/log';
import { toServerKey } from '@/lib/servers';
import { actOnServer } from './(console)/health/act-on-server';
import { changeRests } from './rest-servers';
import { requireServer } from './server-view';

const PRINCIPAL = { actor: { kind: 'person', name: 'Ann' }, role: 'operator', sessionRunId: runIds.create() } as const;
const KEY = 'quiet';
let directory: string;
let runtime: Runtime;
let recorded: { readonly type: string; readonly subject: string; readonly details: unknown }[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-rests-'));
  const env = readEnvironment({ SIGNALBOX_HOME: directory, SIGNALBOX_PACKAGE_ROOT: join(import.meta.dirname, '..'), PATH: process.env.PATH }, undefined);
  runtime = await openRuntime({ env, use: 'console', log: (redactor) => createLogger({ level: 'silent', redactor, destination: 'stderr' }) });
  recorded = [];
  runtime.store.create({ key: KEY, command: 'no-such-program', connect: 'use' }, PRINCIPAL);
});
afterEach(async () => {
  await runtime.close();
  rmSync(directory, { recursive: true, force: true });
});

const audit = { record: (event: (typeof recorded)[number]) => void recorded.push(event) };
const change = (change: Parameters<typeof changeRests>[2]) => changeRests(runtime, [KEY], change, 'Ann', audit);
const act = (act: 'rest' | 'resume') => actOnServer(() => requireServer(runtime, KEY), { key: KEY, act, restMinutes: 10 }, { principal: PRINCIPAL, runtime, audit });
const stateOf = () => runtime.pool.state(toServerKey(KEY));

it('a rest that the health page begins is one that the card ends, and the other way round, in the same words and on the same record', async () => {
  expect(await act('rest')).toMatchObject({ ok: true, message: 'Calls to it rest for 10 min; then one of them tries it.' });
  expect(stateOf()).toMatchObject({ name: 'resting', reason: 'Ann lets it rest for 10 min.' });
  expect(change({ kind: 'resume' })).toEqual([KEY]);
  expect(stateOf().name).not.toBe('resting');
  expect(await act('resume')).toMatchObject({ ok: true, message: 'It was not resting.' });

  expect(change({ kind: 'rest', forMs: 600_000 })).toEqual([KEY]);
  expect(stateOf()).toMatchObject({ name: 'resting', reason: 'Ann lets it rest for 10 min.' });
  expect(await act('resume')).toMatchObject({ message: 'Its rest is over: calls go again.' });
  const rested = { type: 'server.rested', subject: 'server:quiet', details: { for_ms: 600_000 } };
  const resumed = { type: 'server.resumed', subject: 'server:quiet', details: {} };
  expect(recorded).toEqual([rested, resumed, rested, resumed]);
});

it('a configuration that cannot be used has no rest to change, which is said', async () => {
  runtime.store.create({ key: 'unset', command: '${NO_SUCH_VARIABLE_HERE}', connect: 'use' }, PRINCIPAL);
  expect(() => changeRests(runtime, ['unset'], { kind: 'resume' }, 'Ann', audit)).toThrow(/cannot be used as it stands/);
  expect(recorded).toEqual([]);
});
