import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, never, resolvedHttp, resolvedRaw, textWith, until, watch, watchedCall } from './testing';

let folder: string;
const cleanups: (() => unknown)[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-tasks-'));
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function connect(resolved = resolvedRaw('tasks')): Promise<Connection> {
  const opened = await openConnection(watch(resolved).options, never);
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  return opened.value;
}

describe.each(['stdio', 'http'])('a tool that can be called as a task only, over %s', (kind) => {
  const open = async () => {
    if (kind === 'stdio') return connect();
    const server = await startRawHttp({ mode: 'tasks' });
    cleanups.push(() => server.close());
    return connect(resolvedHttp(server.url));
  };

  it('is called as one, and its result is that of the task', async () => {
    const call = watchedCall('t_completes');
    expect(await (await open()).callTool(call, never)).toMatchObject({ kind: 'result', result: { content: [{ text: 't_completes is done' }] } });
    expect(call.heard.filter((heard) => heard === 'sent')).toHaveLength(1);
    expect(call.notes.map(({ text }) => text)).toContain('step 2 of 3');
  });

  it('fails as its task fails, with the words of the result', async () => {
    expect(await (await open()).callTool(watchedCall('t_fails'), never)).toMatchObject({ kind: 'result', result: { isError: true, content: [{ text: 'the disk is full' }] } });
  });

  it('says that the server cancelled it', async () => {
    expect(await (await open()).callTool(watchedCall('t_cancelled'), never)).toMatchObject({ kind: 'rpc_error', message: textWith('an operator stopped it') });
  });

  it('fetches the result of a task that asks for input, since the asking comes with it', async () => {
    expect(await (await open()).callTool(watchedCall('t_input'), never)).toMatchObject({ kind: 'result' });
  });

  it('takes an answer that is no task as it is, and calls other tools as ever', async () => {
    const connection = await open();
    expect(await connection.callTool(watchedCall('t_direct'), never)).toMatchObject({ kind: 'result', result: { content: [{ text: 'at once' }] } });
    expect(await connection.callTool(watchedCall('plain'), never)).toMatchObject({ kind: 'result', result: { content: [{ text: 'plain' }] } });
  });

  it('ends with the error of a server that forgot the task', async () => {
    expect(await (await open()).callTool(watchedCall('t_expires'), never)).toMatchObject({ kind: 'rpc_error', message: textWith('Task not found') });
  });
});

it('passes on what a task tells on the token of its call', async () => {
  const call = watchedCall('t_completes');
  await (await connect()).callTool(call, never);
  expect(call.notes.filter(({ progress }) => progress !== null).map(({ progress, total }) => [progress, total])).toEqual([[1, 3], [2, 3], [3, 3]]);
});

it('cancels the task when the call is given up', async () => {
  const log = join(folder, 'cancelled');
  const connection = await connect(resolvedRaw('tasks', { env: { RAW_CANCEL_LOG: log } }));
  const call = watchedCall('t_never');
  expect(await connection.callTool(call, afterSent(call, 300))).toMatchObject({ kind: 'aborted', sent: true });
  await until(() => readFileSync(log, { encoding: 'utf8', flag: 'a+' }).includes('t_never'), 'the server heard of it');
});
