import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject } from '@/lib/core';
import type { Connection } from '../connection';
import { afterSent, never, openRawServers, resolvedStdio, textOf, textWith, until, watch, watchedCall } from '../testing';
import { openConnection } from '../set-up/open-connection';

const { requireConnection } = openRawServers();

/** What the server got in answer to one of its requests, and what the call shows of it. */
async function ask(connection: Connection, what: string) {
  const call = watchedCall('ask', { what });
  const answer: unknown = JSON.parse(textOf(await connection.callTool(call, never)));
  if (!isObject(answer)) throw new Error('no message');
  return { answer, notes: call.notes.map(({ text }) => text) };
}

describe('what a server asks for', () => {
  it('is a ping: answered at once, with its id as it was, during a call', async () => {
    const { connection } = await requireConnection('asks');
    expect((await ask(connection, 'ping')).answer).toMatchObject({ result: {} });
    expect((await ask(connection, 'ping_text')).answer).toEqual({ jsonrpc: '2.0', id: 'ping-with-a-text', result: {} });
  });

  it.each(['auto', 'legacy'] as const)('is a ping before anything else was said (era %s)', async (era) => {
    const { connection } = await requireConnection('pingFirst', { era });
    expect(JSON.parse(textOf(await connection.callTool(watchedCall('first'), never)))).toEqual({ jsonrpc: '2.0', id: 'first', result: {} });
  });

  it.each([['roots', { result: { roots: [{ name: 'job directory' }] } }], ['unknown', { error: { code: -32_601 } }]])(
    'is something else before that: it is answered when there is a client (%s)',
    async (what, answer) => {
      const { connection } = await requireConnection('pingFirst', { env: { RAW_ASKS_FIRST: what } }, { jobDirectory: '/tmp' });
      expect(JSON.parse(textOf(await connection.callTool(watchedCall('first'), never)))).toMatchObject({ id: 'first', ...answer });
    },
  );

  it.each([
    ['unknown', -32_601], ['server_method', -32_601], ['bad_params', -32_602], ['bad_sampling', -32_602], ['deep', -32_602],
    ['e_nested', -32_602], ['e_unknown_type', -32_602], ['e_default', -32_602], ['e_no_schema', -32_602], ['e_list_schema', -32_602], ['e_mode', -32_602],
    ['e_file', -32_602], ['e_script', -32_602],
  ])('cannot be given: %s is answered %i and shows nowhere as declined', async (what, code) => {
    const { connection } = await requireConnection('asks');
    const { answer, notes } = await ask(connection, what);
    expect(answer).toMatchObject({ error: { code } });
    expect(notes.join()).not.toContain('declined');
  });

  it.each([
    ['elicitation', { result: { action: 'decline' } }, 'Your name?'], ['url', { result: { action: 'decline' } }, 'Sign in'],
    ['e_empty', { result: { action: 'decline' } }, 'Fill it in.'], ['e_titles', { result: { action: 'decline' } }, 'Fill it in.'],
    ['sampling', { error: { message: 'sampling was declined' } }, 'model'],
    ['null_elicitation', { result: { action: 'decline' } }, 'With nulls?'], ['null_sampling', { error: { message: 'sampling was declined' } }, 'model'],
  ])('is declined while nobody is there to answer, with the reason where the call shows (%s)', async (what, expected, words) => {
    const { connection } = await requireConnection('asks');
    const { answer, notes } = await ask(connection, what);
    expect(answer).toMatchObject(expected);
    expect(notes).toEqual([textWith(words)]);
    expect(notes).toEqual([textWith('declined')]);
  });

  it('is roots: the job directory alone, none without one', async () => {
    const { connection } = await requireConnection('asks', {}, { jobDirectory: '/tmp/job' });
    expect((await ask(connection, 'roots')).answer).toMatchObject({ result: { roots: [{ uri: 'file:///tmp/job' }] } });
    const { connection: without } = await requireConnection('asks');
    expect((await ask(without, 'roots')).answer).toMatchObject({ result: { roots: [] } });
    expect((await ask(without, 'null_roots')).answer).toMatchObject({ result: { roots: [] } });
  });

  it('is nothing in the modern era: what comes all the same is not answered, and told once', async () => {
    const { connection, remarks } = await requireConnection('modernAsks');
    expect(connection.facts.era).toBe('modern');
    expect(textOf(await connection.callTool(watchedCall('ask'), never))).toBe('[]');
    expect(textOf(await connection.callTool(watchedCall('ask'), never))).toBe('[]');
    expect(remarks).toEqual([textWith('sampling/createMessage, which a server of the modern era may not send')]);
  });

  it('is answered each time in a flood, and other calls go on', async () => {
    const { connection } = await requireConnection('asks');
    const [pings, samplings, echo] = await Promise.all([
      connection.callTool(watchedCall('flood', { count: 20_000 }), never),
      connection.callTool(watchedCall('flood', { count: 500, what: 'sampling' }), never),
      connection.callTool(watchedCall('echo', {}), never),
    ]);
    expect([pings, samplings, echo].map(textOf)).toEqual(['20000', '500', '{}']);
  });

  it('does not grow without bound where the server reads no answer', async () => {
    const { connection } = await requireConnection('pingFlood');
    const before = process.memoryUsage().rss;
    const call = watchedCall('flood');
    const given = await connection.callTool(call, afterSent(call, 4_000));
    expect(given).toMatchObject({ kind: 'aborted' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
  });
});

describe('what the console tells a server', () => {
  it('is that a call was given up, with its id; of one that ended, or of a set-up, nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-told-'));
    const file = join(folder, 'messages');
    const messages = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line): unknown => JSON.parse(line)).filter(isObject);
    const { connection } = await requireConnection('recorded', { env: { RAW_MESSAGES: file } });
    const quick = new AbortController();
    await connection.callTool(watchedCall('quick'), quick.signal);
    quick.abort();
    const call = watchedCall('never');
    expect(await connection.callTool(call, afterSent(call, 100))).toMatchObject({ kind: 'aborted', sent: true });
    await until(() => messages().some(({ method }) => method === 'notifications/cancelled'), 'it is told');
    const sent = messages();
    const calls = sent.filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => isObject(params) && isObject(params._meta) && params._meta.progressToken)).toEqual(calls.map(({ id }) => id));
    expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toMatchObject([{ params: { requestId: calls[1]?.id } }]);
    expect(sent.filter(({ method }) => method === 'ping')).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is nothing when a set-up is given up: initialize is not cancelled', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-told-'));
    const file = join(folder, 'messages');
    const script = `while IFS= read -r line; do printf '%s\\n' "$line" >> "$OUT"; done`;
    const watched = watch(resolvedStdio('/bin/sh', ['-c', script], { env: { OUT: file }, era: 'legacy', limits: { connect_s: 2 } }));
    expect(await openConnection(watched.options, never)).toMatchObject({ ok: false, error: { code: 'never_answers' } });
    const sent = readFileSync(file, 'utf8').trim().split('\n');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('"initialize"');
    rmSync(folder, { recursive: true, force: true });
  });
});
