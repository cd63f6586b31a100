import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, killAll, never, resolvedHttp, resolvedStdio, until, watch, watchedCall } from './testing';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function use(connection: Connection) {
  expect(connection.lists.toolList.tools.length).toBeGreaterThan(8);
  expect(connection.lists.resources.length).toBeGreaterThan(0);
  expect(connection.lists.prompts.length).toBeGreaterThan(0);
  expect(await connection.callTool(watchedCall('echo', { message: 'hello' }), never)).toMatchObject({
    kind: 'result', result: { content: [{ type: 'text', text: 'Echo: hello' }] },
  });
  const long = watchedCall('trigger-long-running-operation', { duration: 1, steps: 4 });
  expect(await connection.callTool(long, never)).toMatchObject({ kind: 'result' });
  expect(long.notes.filter((note) => note.kind === 'progress').length).toBeGreaterThan(0);
  const longer = watchedCall('trigger-long-running-operation', { duration: 60, steps: 60 });
  const given = await connection.callTool(longer, afterSent(longer, 300));
  expect(given).toMatchObject({ kind: 'aborted', sent: true });
}

describe('server-everything', () => {
  it('works over stdio', async () => {
    const watched = watch(resolvedStdio(process.execPath, [EVERYTHING, 'stdio']), { jobDirectory: '/tmp' });
    const opened = await openConnection(watched.options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    cleanups.push(() => opened.value.close());
    await use(opened.value);
    const roots = await opened.value.callTool(watchedCall('get-roots-list'), never);
    expect(JSON.stringify(roots)).toContain('file:///tmp');
  });

  it('serves its tool that can be called as a task only, and asks on the way', async () => {
    const opened = await openConnection(watch(resolvedStdio(process.execPath, [EVERYTHING, 'stdio'])).options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    cleanups.push(() => opened.value.close());
    const call = watchedCall('simulate-research-query', { topic: 'rails', ambiguous: true });
    const answer = await opened.value.callTool(call, never);
    expect(JSON.stringify(answer)).toContain('Research Report: rails (User declined');
    expect(call.notes.map(({ text }) => text)).toContain('Gathering sources...');
    expect(call.notes.some(({ kind, text }) => kind === 'log' && text.includes('it was declined'))).toBe(true);
  });

  it('works over Streamable HTTP', async () => {
    const port = await new Promise<number>((resolve) => {
      const free = createServer().listen(0, '127.0.0.1', () => {
        const address = free.address();
        free.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
    });
    const server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
    cleanups.push(() => killAll(server.pid === undefined ? [] : [server.pid]));
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until(() => /listening|running/i.test(said), 'the server listens');
    const opened = await openConnection(watch(resolvedHttp(`http://127.0.0.1:${port}/mcp`)).options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    cleanups.push(() => opened.value.close());
    await use(opened.value);
  });
});
