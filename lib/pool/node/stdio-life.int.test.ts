import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '.';
import { MemoryVerdicts, never, openRawServers, resolvedRaw, resolvedStdio, SERVERS, textOf, textWith, until, watch, watchedCall } from './testing';

const { connect, requireConnection } = openRawServers();

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-life-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);

/** Long beyond what any test waits: an end that comes is told by the exit, not by a clock. */
const UNHURRIED = { limits: { connect_s: 600 } };

describe('an exit', () => {
  it.each([
    ['at the start', 'exit3', 'exited_at_once', 3, 'FATAL: key missing'],
    ['on the first message', 'exitAfterRead', 'exited_at_once', 7, 'FATAL: cannot open the index'],
    ['in the middle of answering initialize', 'exitsInInitialize', 'exited_at_once', 11, 'FATAL: disk full'],
    ['on the second page of the tools', 'exitsOnPageTwo', 'exited', 12, 'FATAL: page two is missing'],
  ] as const)('%s is told at once, with its code and the last words', async (_when, mode, code, exitCode, words) => {
    const { opened, watched } = await connect(mode, UNHURRIED);
    expect(opened).toMatchObject({ ok: false, error: { code, message: textWith(`code ${exitCode}`), evidence: { exitCode } } });
    expect(opened.ok ? '' : opened.error.message).toContain(words);
    expect(opened.ok ? [] : opened.error.evidence.stderr).toContain(words);
    expect(watched.records.list()).toEqual([]);
  });

  it('while idle ends the connection with code and last words, and every call after it', async () => {
    const { connection } = await requireConnection('diesIdle', UNHURRIED);
    const failure = await new Promise((resolve) => connection.onClosed(resolve));
    expect(failure).toMatchObject({ code: 'exited', evidence: { exitCode: 4 } });
    expect(await connection.callTool(watchedCall('echo'), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'exited' } });
  });

  it('by a signal in a call names the signal', async () => {
    const { connection } = await requireConnection('calls', UNHURRIED);
    const call = watchedCall('never');
    const answer = connection.callTool(call, never);
    await until(() => call.heard.includes('sent'), 'it is sent');
    process.kill(connection.facts.processId ?? 0, 'SIGKILL');
    expect(await answer).toMatchObject({ kind: 'lost', failure: { code: 'exited', message: textWith('SIGKILL'), evidence: { signal: 'SIGKILL' } } });
  });

  it('while it is closed is the end that was wanted', async () => {
    const { connection, watched } = await requireConnection('exitsOnClose', UNHURRIED);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    await connection.close();
    expect(await closed).toBeNull();
    expect(watched.lines.map(({ text }) => text)).toContain('FATAL: cannot save');
  });

  it('of a server that closed its output, and lives on, is not waited for', async () => {
    const { opened } = await connect('closedStdout', UNHURRIED);
    expect(opened).toMatchObject({ ok: false, error: { code: 'output_closed' } });
    const { connection } = await requireConnection('stopsReading', UNHURRIED);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    await connection.callTool(watchedCall('mute'), never);
    expect(await closed).toMatchObject({ code: 'output_closed' });
  });
});

describe('a server that does not read', () => {
  const LARGE = { text: 'x'.repeat(1_048_576) };

  it('is named in the end of a call that it did not take, and closing settles all', async () => {
    const { connection } = await requireConnection('stopsReading', UNHURRIED);
    await connection.callTool(watchedCall('stop'), never);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const given = await connection.callTool(watchedCall('echo', LARGE), AbortSignal.timeout(1_000));
    expect(given.kind === 'aborted' && (given.unreadBytes ?? 0)).toBeGreaterThan(500_000);
    const waiting = connection.callTool(watchedCall('echo', LARGE), never);
    await connection.close();
    expect((await waiting).kind).toBe('lost');
  });

  it('gets no more than a bounded amount, and calls over it were not sent', async () => {
    const { connection } = await requireConnection('stopsReading', UNHURRIED);
    await connection.callTool(watchedCall('stop'), never);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const calls = Array.from({ length: 40 }, () => watchedCall('echo', LARGE));
    const answers = calls.map((call) => connection.callTool(call, never));
    const refused = await Promise.any(answers);
    expect(refused).toMatchObject({ kind: 'not_sent', failure: { code: 'not_reading', message: textWith('is not reading its input') } });
    expect(calls.filter(({ heard }) => heard.includes('sent')).length).toBeLessThan(20);
    await connection.close();
    expect(new Set((await Promise.all(answers)).map(({ kind }) => kind))).toEqual(new Set(['lost', 'not_sent']));
  });

  it('and closed its input takes no call; the console goes on', async () => {
    const { connection } = await requireConnection('stopsReading', UNHURRIED);
    await connection.callTool(watchedCall('hang_up'), never);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await connection.callTool(watchedCall('echo', LARGE), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'not_reading' } });
  });

  it('because it is dead settles each of a hundred calls', async () => {
    const { connection } = await requireConnection('calls', UNHURRIED);
    process.kill(connection.facts.processId ?? 0, 'SIGKILL');
    const answers = await Promise.all(Array.from({ length: 100 }, () => connection.callTool(watchedCall('echo', { text: 'x'.repeat(10_000) }), never)));
    for (const answer of answers) expect(['lost', 'not_sent']).toContain(answer.kind);
  });
});

describe('the era', () => {
  it.each(['discoverReject', 'discoverInvalid', 'discoverSilent', 'complains', 'exitOnProbe', 'exitsAfterProbe'])(
    'is found (%s) with one process at a time, and the verdict makes later starts single',
    async (mode) => {
      const env = { RAW_AS: mode, RAW_STARTS: join(folder, 'starts'), RAW_OVERLAPS: join(folder, 'overlaps') };
      const { connection, watched } = await requireConnection('countsItself', { env });
      expect(connection.facts.era).toBe('legacy');
      const onlyThese = (file: string) => new Set(linesOf(file)).size;
      const first = onlyThese(env.RAW_STARTS);
      expect(first).toBe(mode.startsWith('exit') ? 2 : 1);
      await connection.close();
      const again = await openConnection(watched.options, never);
      if (again.ok) await again.value.close();
      expect(again.ok).toBe(true);
      expect(onlyThese(env.RAW_STARTS)).toBe(first + 1);
      expect(linesOf(env.RAW_OVERLAPS)).toEqual([]);
    },
  );

  it('is found again where the server became a modern-only one, in the same attempt', async () => {
    const resolved = resolvedStdio(process.execPath, [`${SERVERS}modern-stdio.mjs`, '--modern-only']);
    const verdicts = new MemoryVerdicts();
    verdicts.save(resolved.fingerprint, { era: 'legacy', decidedAt: 1 });
    const opened = await openConnection(watch(resolved, { eraVerdicts: verdicts }).options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.facts.era).toBe('modern');
    expect(verdicts.find(resolved.fingerprint)?.era).toBe('modern');
    await opened.value.close();
  });

  it.each([[0], [3_000]])('is found again where it became one by hand, and starts after %i ms', async (delayMs) => {
    const resolved = resolvedRaw('modernOnly', { env: { RAW_DELAY_MS: String(delayMs) } });
    const verdicts = new MemoryVerdicts();
    verdicts.save(resolved.fingerprint, { era: 'legacy', decidedAt: 1 });
    const opened = await openConnection(watch(resolved, { eraVerdicts: verdicts }).options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(textOf(await opened.value.callTool(watchedCall('echo'), never))).toBe('modern');
    await opened.value.close();
  });

  it('of a server of both that is slow to start is the modern one all the same, and later starts are single', async () => {
    const resolved = resolvedRaw('bothEras', { env: { RAW_DELAY_MS: '3000' } });
    const verdicts = new MemoryVerdicts();
    const started: unknown[] = [];
    const options = watch(resolved, { eraVerdicts: verdicts, onStarted: (command) => started.push(command) }).options;
    for (const starts of [2, 3]) {
      const opened = await openConnection(options, never);
      if (!opened.ok) throw new Error(opened.error.message);
      expect(opened.value.facts.era).toBe('modern');
      expect(started).toHaveLength(starts);
      await opened.value.close();
    }
  });

  it('is found again where the server became a legacy one', async () => {
    const resolved = resolvedRaw('ok');
    const verdicts = new MemoryVerdicts();
    verdicts.save(resolved.fingerprint, { era: 'modern', decidedAt: 1 });
    const opened = await openConnection(watch(resolved, { eraVerdicts: verdicts }).options, never);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.facts.era).toBe('legacy');
    expect(verdicts.find(resolved.fingerprint)?.era).toBe('legacy');
    await opened.value.close();
  });

  it('kept as legacy is probed for again after a server that stays silent in it', async () => {
    const resolved = resolvedRaw('silent', { limits: { connect_s: 2 } });
    const verdicts = new MemoryVerdicts();
    verdicts.save(resolved.fingerprint, { era: 'legacy', decidedAt: 1 });
    expect(await openConnection(watch(resolved, { eraVerdicts: verdicts }).options, never)).toMatchObject({ ok: false });
    expect(verdicts.find(resolved.fingerprint)).toBeUndefined();
  });
});

it('has a program in its first line that is given UTF-8, unless its settings say otherwise', async () => {
  const { connection } = await requireConnection('environment', { env: { PYTHONIOENCODING: 'latin-1' } });
  expect(textOf(await connection.callTool(watchedCall('environment'), never))).toContain('PYTHONUTF8');
});
