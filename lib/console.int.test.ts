import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const STARTED_MS = 120_000;

let directory: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-console-'));
});

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** The console's process without Next; `react-server` is the condition under which `server-only` is silent. */
function start(env: Record<string, string> = {}) {
  const program = `
    const { startConsole } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'console.instance.ts')))});
    await startConsole();
    process.stdout.write('started');
    setInterval(() => undefined, 1000);`;
  const started = spawn(process.execPath, ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '--eval', program], {
    cwd: ROOT,
    env: { ...process.env, SIGNALBOX_HOME: join(directory, 'home'), SIGNALBOX_PACKAGE_ROOT: ROOT, SIGNALBOX_PORT: '4298', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let errors = '';
  started.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => started.on('exit', (code) => resolve(code)));
  const ready = new Promise<void>((resolve) => started.stdout.once('data', () => resolve()));
  return { process: started, ready: Promise.race([ready, exited]), exited, errors: () => errors };
}

it('prints a link that works once, and ends with everything it started when it is told to', { timeout: STARTED_MS }, async () => {
  const console = start();
  await console.ready;
  expect(console.errors()).toMatch(/http:\/\/127\.0\.0\.1:4298\/setup\?token=[\w-]{32}\n/);
  console.process.kill('SIGTERM');
  expect(await console.exited).toBe(0);
});

it('asks for no link where the environment names the first admin', { timeout: STARTED_MS }, async () => {
  const console = start({ SIGNALBOX_ADMIN_EMAIL: 'ops@example.org', SIGNALBOX_ADMIN_PASSWORD: 'correct horse battery' });
  await console.ready;
  expect(console.errors()).toContain('Signalbox is at http://127.0.0.1:4298');
  expect(console.errors()).not.toContain('token');
  console.process.kill('SIGINT');
  expect(await console.exited).toBe(0);
});

it('says in a sentence why it could not start', { timeout: STARTED_MS }, async () => {
  const console = start({ SIGNALBOX_PORT: 'eighty' });
  expect(await console.exited).toBe(1);
  expect(console.errors()).toContain('SIGNALBOX_PORT is not usable: it must be a number from 1 to 65535.');
});
