import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIds, runIds } from '@/lib/core';
import { EMPTY_LEDGER_FILTER } from '@/lib/ledger';
import type { Principal } from '@/lib/auth';
import { serverKeySchema, stdioEntrySchema, type StdioEntry } from '@/lib/servers';
import { openRuntime, type Runtime } from './boot';
import { readEnvironment, type Environment } from './env';
import { createLogger } from './log';

const ROOT = join(import.meta.dirname, '..');
const ANALYSIS = serverKeySchema.parse('analysis');
const admin: Principal = { actor: { kind: 'person', name: 'ann@example.org' }, role: 'admin', sessionRunId: runIds.create() };

let directory: string;
let opened: Runtime[];
let lines: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-boot-'));
  opened = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(opened.map((runtime) => runtime.close()));
  rmSync(directory, { recursive: true, force: true });
});

const environment = (change: Partial<Environment> = {}): Environment => ({
  ...readEnvironment({ SIGNALBOX_HOME: join(directory, 'home'), SIGNALBOX_PACKAGE_ROOT: ROOT, PATH: process.env.PATH }, undefined),
  ...change,
});

async function open(change: Partial<Environment> = {}): Promise<Runtime> {
  const runtime = await openRuntime({
    env: environment(change),
    use: 'command',
    log: (redactor) => createLogger({ level: 'info', redactor, destination: 'stderr', write: (line) => lines.push(line) }),
  });
  opened.push(runtime);
  return runtime;
}

/** Runs a program in a process of its own, on the same data directory; `open` and `runtime` are at hand. */
function runElsewhere(program: string): Promise<{ stdout: string }> {
  const source = `
    const { openRuntime } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'boot.ts')))});
    const { readEnvironment } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'env.ts')))});
    const core = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'core', 'index.ts')))});
    const runtime = await openRuntime({ env: readEnvironment(), use: 'command' });
    ${program}`;
  return promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source], {
    cwd: ROOT,
    env: { ...process.env, SIGNALBOX_HOME: join(directory, 'home'), SIGNALBOX_PACKAGE_ROOT: ROOT },
  });
}

const stdioEntry = (change: Partial<StdioEntry>): StdioEntry =>
  stdioEntrySchema.parse({
    key: 'mine', label: 'mine', transport: 'stdio', command: process.execPath, args: ['--version'], env: {}, env_allow: [],
    enabled: true, connect: 'use', era: 'auto', prefix: true, aliases: {}, tools: [], limits: {}, required: false,
    external: false, trusted: true, instructions: 'include', verify_with: {}, share: false, reads_errors: true, tags: [],
    ...change,
  });

describe('the data directory', () => {
  it('is made for its owner alone, with the bundled server in it', async () => {
    const runtime = await open();
    expect(statSync(runtime.env.home).mode & 0o777).toBe(0o700);
    expect(runtime.servers.list().map((record) => record.entry.key)).toEqual(['analysis']);
    expect(runtime.servers.find(ANALYSIS)).toMatchObject({
      bundled: true,
      entry: { command: process.execPath, args: [join(ROOT, 'dist', 'servers', 'analysis.js')] },
    });
  });

  it('does not bring back the bundled server that somebody deleted', async () => {
    const first = await open();
    first.store.delete(ANALYSIS, admin);
    await first.close();
    expect((await open()).servers.list()).toEqual([]);
  });

  it('says what to do where it cannot be made or opened', async () => {
    writeFileSync(join(directory, 'file'), '');
    await expect(open({ home: join(directory, 'file', 'home') })).rejects.toMatchObject({ code: 'unavailable', remedy: expect.stringContaining('SIGNALBOX_HOME') as string });
  });

  it('is shared with other processes that open it, at the same moment and on their own', { timeout: 240_000 }, async () => {
    const others = [runElsewhere('await runtime.close();'), runElsewhere('await runtime.close();')];
    const runtime = await open();
    await Promise.all(others);
    const { stdout } = await runElsewhere(`
      runtime.vault.set('API_KEY', 'swordfish', { actor: { kind: 'cli', name: 'cli:x' }, role: 'admin', sessionRunId: core.runIds.create() });
      process.stdout.write(JSON.stringify(runtime.servers.list().map((record) => record.entry.key)));
      await runtime.close();`);
    expect(JSON.parse(stdout)).toEqual(['analysis']);
    expect(runtime.vault.find('API_KEY')).toBe('swordfish');
    expect(readdirSync(runtime.env.home).filter((name) => name.includes('.key'))).toEqual(['auth.key', 'vault.key']);
  });
});

describe('what a crash left', () => {
  it('reads interrupted after the next start, and the calls of a living process do not', { timeout: 240_000 }, async () => {
    const living = await open();
    const openCall = `
      const runId = runtime.runs.sessionRun('test:' + process.pid, { kind: 'cli', name: 'cli:x' });
      runtime.ledger.writer.open({ callId: core.callIds.create(), runId, step: null, actorKind: 'cli', actorName: 'cli:x', serverKey: 'analysis',
        tool: 'crashed', exposedName: null, plumbing: false, policy: null, arguments: {} });
      runtime.ledger.writer.commit();`;
    await runElsewhere(`${openCall} process.kill(process.pid, 'SIGKILL');`).catch(() => undefined);
    const runId = living.runs.sessionRun('test:living', admin.actor);
    living.ledger.writer.open({
      callId: callIds.create(), runId, step: null, actorKind: 'person', actorName: 'ann@example.org', serverKey: ANALYSIS,
      tool: 'living', exposedName: null, plumbing: false, policy: null, arguments: {},
    });
    living.ledger.writer.commit();
    const next = await open();
    const everything = { ...EMPTY_LEDGER_FILTER, plumbing: true };
    const { rows } = next.ledger.reader.list(everything, { before: null, limit: 10 });
    expect(rows.map((row) => [row.tool, row.outcome])).toEqual([['living', 'requested'], ['crashed', 'interrupted']]);
    expect(lines.some((line) => line.includes('an earlier process ended'))).toBe(true);
  });
});

describe('a secret', () => {
  it('that does not open is the fault of the server that names it', async () => {
    const first = await open({ vaultKey: 'a'.repeat(64) });
    first.vault.set('API_KEY', 'swordfish-value', admin);
    const entry = stdioEntry({ env: { KEY: '${secret:API_KEY}' } });
    expect(first.resolve(entry, null)).toMatchObject({ ok: true, value: { transport: { env: { KEY: 'swordfish-value' } } } });
    await first.close();
    const second = await open({ vaultKey: 'b'.repeat(64) });
    expect(second.resolve(entry, null)).toMatchObject({ ok: false, error: [{ message: expect.stringContaining('sealed with another key') as string }] });
  });

  it('stays out of the log, from the vault and from a field with a secret name', async () => {
    const runtime = await open();
    runtime.vault.set('API_KEY', 'swordfish-value', admin);
    expect(runtime.resolve(stdioEntry({ env: { ACCESS_TOKEN: 'written-in-the-entry' } }), null).ok).toBe(true);
    runtime.log.info('swordfish-value and written-in-the-entry');
    expect(lines.at(-1)).toContain('[redacted] and [redacted]');
  });
});
