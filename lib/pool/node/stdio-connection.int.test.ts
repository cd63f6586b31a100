import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openConnection } from '.';
import type { Connection } from './connection';
import { afterSent, ENVIRONMENT, never, resolvedRaw, resolvedStdio, SERVERS, textWith, watch, watchedCall } from './testing';

const open: Connection[] = [];
afterEach(() => Promise.all(open.splice(0).map((connection) => connection.close())));

async function connect(mode: string, wishes: Parameters<typeof resolvedRaw>[1] = {}) {
  const watched = watch(resolvedRaw(mode, { limits: { connect_s: 20 }, ...wishes }));
  const opened = await openConnection(watched.options, never);
  if (opened.ok) open.push(opened.value);
  return { watched, opened };
}

async function requireConnection(mode: string, wishes: Parameters<typeof resolvedRaw>[1] = {}) {
  const { opened, watched } = await connect(mode, wishes);
  if (!opened.ok) throw new Error(`${mode}: ${opened.error.code}, ${opened.error.message}`);
  return { connection: opened.value, watched };
}

describe('a stdio server', () => {
  it('passes every stage and answers a call whole', async () => {
    const { connection, watched } = await requireConnection('ok');
    expect(watched.ended()).toEqual(['config passed', 'resolve passed', 'spawn passed', 'negotiate passed', 'list passed']);
    const call = watchedCall('echo', { text: 'ü' });
    expect(await connection.callTool(call, never)).toMatchObject({ kind: 'result', result: { content: [{ type: 'text' }] } });
    expect(call.heard).toEqual(['sent', 'first byte']);
    expect(connection.facts).toMatchObject({ transport: 'stdio', era: 'legacy' });
  });

  it.each(['banner', 'bannerMid', 'jsonLog'])('skips and counts text on stdout (%s)', async (mode) => {
    const { connection } = await requireConnection(mode);
    expect(connection.strayLines.count).toBeGreaterThanOrEqual(2);
    expect(connection.strayLines.first).not.toBeNull();
    expect(await connection.callTool(watchedCall('echo', { text: 'x' }), never)).toMatchObject({ kind: 'result' });
  });

  it.each(['bom', 'crlf', 'blank', 'splitUtf8', 'earlyNotifications', 'stringIds', 'doubled', 'nulls'])('takes %s as what it is', async (mode) => {
    const { connection } = await requireConnection(mode);
    expect(connection.lists.toolList.tools.length).toBeGreaterThan(0);
    const [tool] = connection.lists.toolList.tools;
    expect(await connection.callTool(watchedCall(tool?.name ?? '', { text: 'x' }), never)).toMatchObject({ kind: 'result' });
    if (['crlf', 'blank', 'splitUtf8'].includes(mode)) {
      expect(connection.facts.instructions).toBe('a\u2028b 🦊 ü');
      expect(connection.strayLines.count).toBe(0);
    }
  });

  it('reads an answer behind a progress bar while it is set up, and none after', async () => {
    const { connection } = await requireConnection('progressBar');
    expect(connection.lists.toolList.tools.length).toBe(1);
    const signal = AbortSignal.timeout(800);
    const answer = await connection.callTool(watchedCall('echo', { text: 'x' }), signal);
    expect(answer).toMatchObject({ kind: 'aborted', sent: true, quoted: textWith('loading 100%') });
  });

  it('ends a call by an answer that can settle nothing at once, quoting it', async () => {
    const { connection } = await requireConnection('malformedAnswer');
    const answer = await connection.callTool(watchedCall('echo', { text: 'x' }), never);
    expect(answer).toMatchObject({ kind: 'protocol_error', quoted: textWith('"jsonrpc"') });
  });

  it('ends the connection at bytes that are no UTF-8, naming byte and offset', async () => {
    const { connection } = await requireConnection('badUtf8');
    const answer = await connection.callTool(watchedCall('echo', { text: 'x' }), never);
    expect(answer).toMatchObject({ kind: 'lost', failure: { code: 'not_utf8', message: textWith(/byte 0xFF at offset \d+/) } });
  });

  it('ends one call by its size and goes on with its neighbours', async () => {
    const { connection } = await requireConnection('bigLine', { limits: { max_message_bytes: 1_000_000 } });
    const [big, small] = await Promise.all([
      connection.callTool(watchedCall('big_line'), never),
      connection.callTool(watchedCall('echo', { text: 'x' }), never),
    ]);
    expect(big).toMatchObject({ kind: 'too_large', limitBytes: 1_000_000 });
    expect(big.kind === 'too_large' && big.sizeBytes).toBeGreaterThan(11_000_000);
    expect(small.kind).toBe('result');
  });

  it('keeps secrets out of what it shows of a server', async () => {
    const secret = 'hunter2-very-secret';
    const resolved = { ...resolvedStdio('/bin/sh', ['-c', `echo "key ${secret}"; echo "bad ${secret}" >&2; exit 3`]), secretValues: [secret] };
    const watched = watch(resolved);
    const opened = await openConnection(watched.options, never);
    expect(opened.ok).toBe(false);
    expect(watched.lines.length).toBeGreaterThan(1);
    expect(JSON.stringify([opened, watched.lines, watched.stages])).not.toContain(secret);
  });

  it('keeps each line of a secret of several lines out as well, and what the server answers in a failure', async () => {
    const secret = '{\n  first-half-of-it\n  other-half-of-it\n}';
    const answer = '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no first-half-of-it"}}';
    const script = `read line; printf '%s\\n' "$SECRET" >&2; while true; do echo '${answer}'; read line || exit 0; done`;
    const resolved = { ...resolvedStdio('/bin/sh', ['-c', script], { env: { SECRET: secret }, era: 'legacy' }), secretValues: [secret] };
    const watched = watch(resolved);
    const opened = await openConnection(watched.options, never);
    expect(opened).toMatchObject({ ok: false, error: { message: textWith('[redacted]') } });
    expect(JSON.stringify(watched.lines)).toContain('[redacted]');
    expect(JSON.stringify([opened, watched.lines, watched.stages])).not.toMatch(/-half-of-it/);
  });

  it('uses the last answer of a server that exits without a newline', async () => {
    const { connection } = await requireConnection('noNewlineExit');
    expect(await connection.callTool(watchedCall('echo', { text: 'x' }), never)).toMatchObject({ kind: 'result' });
  });

  it.each(['stderrFlood', 'stderrFloodNoNl'])('is not blocked by its own stderr (%s)', async (mode) => {
    const { connection } = await requireConnection(mode);
    expect(connection.lines.length).toBeLessThanOrEqual(2_000);
    expect(Math.max(...connection.lines.map((line) => line.text.length))).toBeLessThanOrEqual(4_096);
  });

  it('is told lost, with code and last words, when it dies in a call', async () => {
    const { connection } = await requireConnection('dies');
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    const answer = await connection.callTool(watchedCall('die'), never);
    expect(answer).toMatchObject({ kind: 'lost', failure: { code: 'exited', evidence: { exitCode: 9 }, message: textWith('out of memory') } });
    expect(await closed).toMatchObject({ code: 'exited' });
    expect(await connection.callTool(watchedCall('echo'), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'exited' } });
  });

  it('sets a doubled tool aside and keeps its siblings', async () => {
    const { connection } = await requireConnection('t_dup');
    expect(connection.lists.toolList.setAside.length).toBe(2);
    expect(connection.lists.toolList.tools.length).toBeGreaterThan(0);
  });

  it.each([['repeatedCursor', /repeats the cursor/], ['endlessPages', /1000 pages|entries/]] as const)('stops a list that does not end (%s)', async (mode, words) => {
    const { connection } = await requireConnection(mode);
    expect(connection.lists.toolList.warnings.join()).toMatch(words);
    expect(connection.lists.toolList.warnings.join()).toContain('it:');
  });

  it('takes the page of a server that ignores the cursor once', async () => {
    const { connection } = await requireConnection('repeatedCursor');
    expect(connection.lists.toolList).toMatchObject({ tools: [{ name: 'echo' }], setAside: [] });
  });

  it('follows every page, and reads what is declared alone', async () => {
    const pages = await requireConnection('pages');
    expect(pages.connection.lists.toolList.tools.length).toBeGreaterThan(3);
    const both = await requireConnection('resourcesAndPrompts');
    expect(both.connection.lists.resources.length).toBeGreaterThan(0);
    expect(both.connection.lists.prompts.length).toBeGreaterThan(0);
    const declared = await requireConnection('declaredOnly');
    expect(declared.connection.lists.toolList.tools.length).toBeGreaterThan(0);
  });

  it('keeps a result that no schema knows', async () => {
    const { connection } = await requireConnection('results');
    const answer = await connection.callTool(watchedCall('r_unknownType'), never);
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text' }, { type: 'video' }] } });
  });

  it('tells progress, is told of a cancel, and keeps a late answer', async () => {
    const { connection } = await requireConnection('calls');
    const slow = watchedCall('slow');
    expect(await connection.callTool(slow, never)).toMatchObject({ kind: 'result' });
    expect(slow.notes.some((note) => note.kind === 'progress')).toBe(true);
    const late = watchedCall('late');
    expect(await connection.callTool(late, afterSent(late, 300))).toMatchObject({ kind: 'aborted', sent: true });
    await expect.poll(() => late.heard, { timeout: 20_000 }).toContain('late answer');
  });

  it('reads its lists again when it says that they changed', async () => {
    const { connection } = await requireConnection('listChanged');
    const before = connection.lists.toolList.tools.length;
    const changed = new Promise((resolve) => connection.onListsChanged(resolve));
    for (const { name } of connection.lists.toolList.tools) await connection.callTool(watchedCall(name, {}), never);
    await changed;
    expect(connection.lists.toolList.tools.length).not.toBe(before);
  });
});

describe('the era of a stdio server', () => {
  it.each(['discoverReject', 'discoverInvalid', 'discoverSilent', 'exitOnProbe', 'stderrFlood'])('falls back to legacy (%s), and the verdict is kept', async (mode) => {
    const { connection, watched } = await requireConnection(mode);
    expect(connection.facts.era).toBe('legacy');
    expect([...watched.verdicts.verdicts.values()]).toMatchObject([{ era: 'legacy' }]);
    const started: unknown[] = [];
    const again = await openConnection({ ...watched.options, onStarted: (command) => started.push(command) }, never);
    if (again.ok) open.push(again.value);
    expect(again.ok).toBe(true);
    expect(started).toHaveLength(1);
  });

  it('speaks the modern era with the official SDK, calls and cancels in it', async () => {
    for (const args of [[], ['--modern-only']]) {
      const watched = watch(resolvedStdio(process.execPath, [`${SERVERS}modern-stdio.mjs`, ...args]));
      const opened = await openConnection(watched.options, never);
      if (!opened.ok) throw new Error(opened.error.message);
      open.push(opened.value);
      expect(opened.value.facts).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
      expect(await opened.value.callTool(watchedCall('echo', { text: 'hi' }), never)).toMatchObject({ kind: 'result' });
      const slow = watchedCall('slow', { steps: 600 });
      expect(await opened.value.callTool(slow, afterSent(slow, 200))).toMatchObject({ kind: 'aborted', sent: true });
    }
  });
});

describe('a stdio server that cannot be set up', () => {
  it.each([
    ['exit3', 'exited_at_once', /code 3.*key missing/],
    ['exitAfterRead', 'exited_at_once', /code 7/],
    ['killedAtStart', 'exited_at_once', /SIGKILL/],
    ['badVersion', 'no_shared_revision', /1999-01-01/],
    ['initializeError', 'protocol_error', /licence expired/],
    ['badUtf8AtStart', 'not_utf8', /0xFF at offset 0/],
  ])('%s is told as %s', async (mode, code, words) => {
    const { opened, watched } = await connect(mode);
    expect(opened).toMatchObject({ ok: false, error: { code } });
    if (!opened.ok) expect(opened.error.message).toMatch(words);
    expect(watched.ended().at(-1)).toMatch(/failed$/);
    expect(watched.records.list()).toEqual([]);
  });

  it.each([['silent', 'never_answers'], ['noread', 'never_answers'], ['hangsOnList', 'list_hangs'], ['bannerNoNl', 'stdout_noise']])(
    '%s ends at its clock as %s',
    async (mode, code) => {
      const { opened } = await connect(mode, { limits: { connect_s: 4 } });
      expect(opened).toMatchObject({ ok: false, error: { code } });
    },
  );

  it('tells a missing program, folder and right to run apart', async () => {
    const tell = async (command: string, cwd?: string) => {
      const opened = await openConnection(watch(resolvedStdio(command, [], cwd === undefined ? {} : { cwd })).options, never);
      return opened.ok ? null : opened.error;
    };
    expect(await tell('no-such-cmd-xyz')).toMatchObject({ code: 'program_missing', stage: 'resolve', message: textWith(ENVIRONMENT.PATH) });
    expect(await tell('node', '/nope')).toMatchObject({ code: 'cwd_missing' });
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-spawn-'));
    const write = (name: string, bytes: string | Uint8Array, mode: number) => {
      writeFileSync(join(folder, name), bytes, { mode });
      return join(folder, name);
    };
    const foreign = Buffer.alloc(64);
    foreign.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
    foreign.writeUInt16LE(0xf3, 18);
    expect(await tell(write('plain.sh', '#!/bin/sh\n', 0o644))).toMatchObject({ code: 'not_executable' });
    expect(await tell(write('foreign', foreign, 0o755))).toMatchObject({ code: 'wrong_architecture' });
    expect(await tell(write('lost.sh', '#!/nope/python\n', 0o755))).toMatchObject({ code: 'spawn_failed', message: textWith('interpreter') });
    expect(await tell(write('quick.sh', '#!/bin/sh\necho bye >&2; exit 5\n', 0o755))).toMatchObject({ code: 'exited_at_once', message: textWith('code 5') });
    rmSync(folder, { recursive: true });
  });
});
