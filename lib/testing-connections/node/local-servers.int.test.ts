import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectFailureCode, Stage } from '@/lib/pool';
import type { ServerEntry } from '@/lib/servers';
import { findMarked, openTestBench, SEARCH_PATH, serverProgram, type TestBench } from './testing';

/** Long enough for a child to start on a busy machine, short enough to wait for one that never answers. */
const SHORT = { limits: { connect_s: 6 } };

let bench: TestBench;
let directory: string;

beforeAll(() => {
  bench = openTestBench();
  directory = mkdtempSync(join(tmpdir(), 'signalbox-programs-'));
});

afterEach(() => {
  expect(findMarked(bench.marker), 'processes that a test left').toEqual([]);
});

afterAll(async () => {
  await bench.close();
  rmSync(directory, { recursive: true, force: true });
});

function programOf(name: string, bytes: Uint8Array | string, mode: number): string {
  const file = join(directory, name);
  writeFileSync(file, bytes);
  chmodSync(file, mode);
  return file;
}

/** A 64-bit ELF header for a processor that no machine of ours has. */
function foreignProgram(): string {
  const bytes = Buffer.alloc(4096);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(0x16, 18);
  bytes.writeUInt32LE(1, 20);
  return programOf('foreign', bytes, 0o755);
}

interface Failing {
  readonly name: string;
  readonly entry: () => ServerEntry;
  readonly code: ConnectFailureCode;
  readonly stage: readonly Stage[];
  /** What the sentence, or the remedy, has to name. */
  readonly names: readonly string[];
  readonly evidence?: object;
}

const FAILING: readonly Failing[] = [
  {
    name: 'a variable that is not set',
    entry: () => bench.rawEntry('ok', { env: { API_KEY: '${SURELY_NOT_SET_ANYWHERE}' } }),
    code: 'variable_unresolved', stage: ['config'], names: ['env.API_KEY', 'SURELY_NOT_SET_ANYWHERE'],
  },
  {
    name: 'a program that is not on the PATH',
    entry: () => bench.entry({ command: 'no-such-program-of-ours' }),
    code: 'program_missing', stage: ['resolve'], names: ['no-such-program-of-ours', SEARCH_PATH],
  },
  {
    name: 'a path where no program is',
    entry: () => bench.entry({ command: '/no/such/folder/server' }),
    code: 'program_missing', stage: ['resolve'], names: ['/no/such/folder/server'],
  },
  {
    name: 'a file that may not be run',
    entry: () => bench.entry({ command: programOf('not-executable', '#!/bin/sh\n', 0o644) }),
    code: 'not_executable', stage: ['resolve', 'spawn'], names: ['not-executable', 'chmod'],
  },
  {
    name: 'a working directory that does not exist',
    entry: () => bench.rawEntry('ok', { cwd: '/no/such/folder' }),
    code: 'cwd_missing', stage: ['resolve', 'spawn'], names: ['/no/such/folder'],
  },
  {
    name: 'a program for another processor',
    entry: () => bench.entry({ command: foreignProgram() }),
    code: 'wrong_architecture', stage: ['resolve', 'spawn'], names: ['foreign'],
  },
  {
    name: 'a server that exits at once',
    entry: () => bench.rawEntry('exit3'),
    code: 'exited_at_once', stage: ['spawn', 'negotiate'], names: ['3', 'FATAL: key missing'],
    evidence: { exitCode: 3, stderr: ['FATAL: key missing'] },
  },
  {
    name: 'a server that exits after the first message',
    entry: () => bench.rawEntry('exitAfterRead'),
    code: 'exited_at_once', stage: ['spawn', 'negotiate'], names: ['7', 'cannot open the index'],
    evidence: { exitCode: 7 },
  },
  {
    name: 'a server that is killed',
    entry: () => bench.rawEntry('killedAtStart'),
    code: 'exited_at_once', stage: ['spawn', 'negotiate'], names: ['SIGKILL'],
    evidence: { signal: 'SIGKILL' },
  },
  {
    name: 'a server that never answers',
    entry: () => bench.rawEntry('silent', SHORT),
    code: 'never_answers', stage: ['negotiate'], names: ['raw', 'connect_s'],
  },
  {
    name: 'a server that never reads',
    entry: () => bench.rawEntry('noread', SHORT),
    code: 'never_answers', stage: ['negotiate'], names: ['raw'],
  },
  {
    name: 'a server that never answers and has descendants',
    entry: () => bench.rawEntry('forksSilent', SHORT),
    code: 'never_answers', stage: ['negotiate'], names: ['raw'],
  },
  {
    name: 'a revision that nobody shares',
    entry: () => bench.rawEntry('badVersion'),
    code: 'no_shared_revision', stage: ['negotiate'], names: ['1999-01-01'],
  },
  {
    name: 'an error in answer to initialize',
    entry: () => bench.rawEntry('initializeError'),
    code: 'protocol_error', stage: ['negotiate'], names: ['licence expired'],
  },
  {
    name: 'a server that answers initialize and hangs on tools/list',
    entry: () => bench.rawEntry('hangsOnList', SHORT),
    code: 'list_hangs', stage: ['list'], names: ['tools/list'],
  },
  {
    name: 'bytes that are not UTF-8',
    entry: () => bench.rawEntry('badUtf8AtStart'),
    code: 'not_utf8', stage: ['negotiate'], names: ['UTF-8'],
  },
];

describe('the test of a local server that does not work', () => {
  it.each(FAILING)('tells $name', async ({ entry, code, stage, names, evidence }) => {
    const result = await bench.test(entry());
    expect(result.failure).toMatchObject({ code, ...(evidence && { evidence }) });
    expect(stage).toContain(result.failure?.stage);
    const said = `${result.failure?.message} ${result.failure?.remediation}`;
    for (const name of names) expect(said).toContain(name);
    expect(result.failure?.remediation).not.toBe('');
    expect(result.stages.at(-1)).toMatchObject({ stage: result.failure?.stage, outcome: 'failed' });
    expect(result.stages.slice(0, -1).filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });
});

describe('the test of a local server that works', () => {
  it('passes every stage in order and learns what the server offers', async () => {
    const result = await bench.test(bench.rawEntry('manifest'));
    expect(result.failure).toBeNull();
    expect(result.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'config passed', 'resolve passed', 'spawn passed', 'negotiate passed', 'list passed', 'capabilities passed',
    ]);
    expect(result.latencyMs).toBeGreaterThanOrEqual(0);
    expect(result.facts).toMatchObject({ era: 'legacy', serverInfo: { name: 'raw' } });
    expect(result.snapshot?.manifest?.tools.find(({ name }) => name === 'unpack')).toMatchObject({ available: false, reason: 'upx is not installed' });
    expect(result.warnings).toEqual([]);
  });

  it.each(['discoverReject', 'discoverInvalid', 'discoverSilent', 'exitOnProbe', 'bom', 'crlf', 'blank', 'splitUtf8', 'stderrFlood', 'stringIds', 'nulls'])(
    'bears with %s',
    async (mode) => {
      const result = await bench.test(bench.rawEntry(mode));
      expect(result.failure).toBeNull();
      expect(result.facts?.era).toBe('legacy');
      expect(result.snapshot?.toolList.tools.map(({ name }) => name)).toEqual(['echo']);
      expect(result.strayLines.count).toBe(0);
    },
  );

  it.each([['banner', 2], ['bannerMid', 2], ['jsonLog', 3]] as const)('warns of a server that prints to stdout: %s', async (mode, count) => {
    const result = await bench.test(bench.rawEntry(mode));
    expect(result.ok).toBe(true);
    expect(result.strayLines.count).toBe(count);
    expect(result.warnings).toContainEqual(expect.stringContaining('stdout'));
  });

  it('warns of an empty tool list', async () => {
    const result = await bench.test(bench.rawEntry('emptyTools'));
    expect(result.ok).toBe(true);
    expect(result.warnings).toContainEqual(expect.stringContaining('tool list is empty'));
  });

  it.each([['t_dup', 1, 2], ['t_malformed', 1, 3]] as const)('sets aside what cannot be used of %s and keeps the rest', async (mode, kept, aside) => {
    const result = await bench.test(bench.rawEntry(mode));
    expect(result.ok).toBe(true);
    expect(result.snapshot?.toolList.tools).toHaveLength(kept);
    expect(result.snapshot?.toolList.setAside).toHaveLength(aside);
    expect(result.warnings).toContainEqual(expect.stringContaining('set aside'));
  });

  it('bears with a manifest that never comes', async () => {
    const result = await bench.test(bench.rawEntry('manifestHangs', SHORT));
    expect(result.ok).toBe(true);
    expect(result.stages.at(-1)).toMatchObject({ stage: 'capabilities', outcome: 'warned' });
  });

  it('reads a server of the modern era', async () => {
    const result = await bench.test(bench.entry({ command: process.execPath, args: [serverProgram('modern-stdio.mjs')] }));
    expect(result.facts).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
    expect(result.snapshot?.toolList.tools.map(({ name }) => name)).toContain('slow');
  });

  it('starts a server that exits on the probe twice in all, and once at the next test', async () => {
    const starts = join(directory, 'starts');
    const entry = bench.rawEntry('exitOnProbe', { env: { RAW_STARTS: starts } });
    expect((await bench.test(entry)).ok).toBe(true);
    expect((await bench.test(entry)).ok).toBe(true);
    expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(3);
  });

  it.each(['forks', 'deaf'])('leaves no descendant of %s', async (mode) => {
    const pids = join(directory, `pids-${mode}`);
    const result = await bench.test(bench.rawEntry(mode, { env: { RAW_PIDS: pids } }));
    expect(result.ok).toBe(true);
    expect(readFileSync(pids, 'utf8').trim().split('\n').length).toBeGreaterThan(0);
    expect(findMarked(bench.marker)).toEqual([]);
  });

  it('leaves nothing running when it is cancelled', async () => {
    const controller = new AbortController();
    const testing = bench.test(bench.rawEntry('forksSilent'), controller.signal);
    while (findMarked(bench.marker).length < 3) await new Promise((done) => setTimeout(done, 50));
    controller.abort();
    expect((await testing).failure?.code).toBe('cancelled');
    expect(findMarked(bench.marker)).toEqual([]);
  });
});
