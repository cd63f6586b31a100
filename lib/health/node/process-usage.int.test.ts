import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { readProcessUsage } from './process-usage';

it.runIf(process.platform === 'linux')('counts the memory of a child and of what it started', async () => {
  const before = Date.now();
  const child = spawn(process.execPath, ['-e', `require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' }).on('spawn', () => console.log('up'))`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const usage = readProcessUsage(child.pid ?? 0);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'exit');
  expect(usage).toMatchObject({ processId: child.pid, processes: 2 });
  expect(usage?.residentBytes).toBeGreaterThan(10 * 1024 * 1024);
  expect(Math.abs((usage?.startedAt ?? 0) - before)).toBeLessThan(60_000);
  expect(readProcessUsage(child.pid ?? 0)).toBeNull();
});
