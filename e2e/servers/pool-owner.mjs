// node pool-owner.mjs <spawn.ts-made JSON of a child to start>: starts a child as the pool does, says so, and waits to be
// killed, so that the child is left over. Prints {"record": …}: what the pool would have written down.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @param {number} pid */
const startTicks = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
};

const [, , script, mode] = process.argv;
const marker = randomBytes(16).toString('hex');
const child = spawn(process.execPath, [script ?? '', mode ?? ''], {
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
  env: { ...process.env, SIGNALBOX_CHILD: marker },
});
child.once('spawn', () => {
  const record = {
    marker,
    serverKey: 'left',
    processGroup: child.pid,
    startTicks: startTicks(child.pid ?? 0),
    ownerProcess: process.pid,
    ownerStartTicks: startTicks(process.pid),
    startedAt: Date.now(),
  };
  process.stdout.write(`${JSON.stringify({ record })}\n`);
});
setInterval(() => undefined, 60_000);
