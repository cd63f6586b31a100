import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTerminal, type Terminal } from '../terminal';
import { call } from './call';
import { check } from './check';
import { test } from './test';

const SERVER = fileURLToPath(new URL('../../../e2e/servers/raw-stdio.mjs', import.meta.url));
const TEST_MS = 120_000;
let home: string;
let config: string;

/** A package runner that installs for so long before its server starts, and says how far it is. */
function writeRunner(name: string, seconds: number): string {
  const folder = join(home, name);
  const program = join(folder, 'npx');
  writeFileSync(program, `#!/bin/sh\nfor n in $(seq 1 ${seconds * 4}); do echo "fetching package $n" >&2; sleep 0.25; done\nexec "${process.execPath}" "${SERVER}" ok\n`);
  chmodSync(program, 0o755);
  return program;
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-runner-'));
  for (const name of ['short', 'long']) mkdirSync(join(home, name));
  config = join(home, 'servers.json');
  const entry = (command: string) => ({ command, args: ['-y', 'a-server'], era: 'legacy' });
  writeFileSync(config, JSON.stringify({ mcpServers: { short: entry(writeRunner('short', 4)), long: entry(writeRunner('long', 60)) } }));
  vi.stubEnv('SIGNALBOX_HOME', join(home, 'data'));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

async function run(command: (terminal: Terminal) => Promise<unknown>) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await command(openTerminal({ stdout, stderr })).finally(() => {
    stdout.end();
    stderr.end();
  });
  const [out, notes] = await said;
  return { code, out, notes };
}

describe('a package runner that is still installing', () => {
  it('is told by check with what it does, and with the command that waits longer', async () => {
    const { code, out } = await run((terminal) => check(['long'], { json: false, config }, terminal, 3_000));
    expect(code).not.toBe(0);
    expect(out).toContain('it was still installing');
    expect(out).toMatch(/stderr: fetching package \d+/);
    expect(out).toContain('signalbox test long');
    expect(out).toContain('2 min');
    const json = await run((terminal) => check(['long'], { json: true, config }, terminal, 3_000));
    expect(JSON.parse(json.out)).toMatchObject({ servers: [{ error: { code: 'never_answers', remediation: expect.stringContaining('signalbox test long') as string } }] });
  }, TEST_MS);

  it.each([true, false])('is followed on stderr by call, which answers on stdout alone (--json: %s)', async (json) => {
    const options = { json, config, args: '{"text":"x"}', file: [], yes: true };
    const { code, out, notes } = await run((terminal) => call('short', 'echo', options, terminal));
    expect(notes).toMatch(/short is starting: fetching package \d+/);
    expect(notes.match(/is starting/g)?.length).toBeLessThan(16);
    expect(code).toBe(0);
    expect(out).not.toContain('fetching');
    if (json) expect(JSON.parse(out)).toMatchObject({ ok: true, tool: 'echo' });
  }, TEST_MS);

  it('is followed by test too', async () => {
    const { code, notes } = await run((terminal) => test('short', { json: true, config }, terminal));
    expect(code).toBe(0);
    expect(notes).toMatch(/short is starting: fetching package \d+/);
  }, TEST_MS);
});
