import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { defineServer, defineTool, ToolFailure, type Tool } from '.';
import { manifestWire } from './manifest';
import { containing } from './testing';

const echo = defineTool({
  name: 'echo',
  description: 'Answers what it is given.',
  input: z.strictObject({ text: z.string(), times: z.int().min(1).default(1), deep: z.strictObject({ 'a/b': z.number() }).optional() }),
  run: ({ text, times }) => ({ text: text.repeat(times) }),
});

const failing = (name: string, run: () => never): Tool =>
  defineTool({ name, description: 'Fails.', input: z.strictObject({}), run });

const serve = (tools: readonly Tool[], environment: Record<string, string> = { PATH: '' }) =>
  defineServer({ name: 'under-test', version: '1.2.3', tools, environment });

const errorOf = async (server: ReturnType<typeof serve>, name: string, args?: unknown, signal?: AbortSignal) => {
  const answer = await server.callTool(name, args, signal);
  if (answer.ok) throw new Error(`expected an error, got ${JSON.stringify(answer.data)}`);
  return answer.error;
};

describe('a call', () => {
  it('reaches the handler with parsed arguments, defaults filled in', async () => {
    expect(await serve([echo]).callTool('echo', { text: 'ab' })).toEqual({ ok: true, data: { text: 'ab' } });
  });

  it('names every wrong argument by its pointer before the handler runs', async () => {
    const error = await errorOf(serve([echo]), 'echo', { times: 0, colour: 1, deep: { 'a/b': 'x' } });
    expect(error.code).toBe('bad_argument');
    for (const pointer of ['/text:', '/times:', '/colour: is not an argument', '/deep/a~1b:']) expect(error.message).toContain(pointer);
    expect(error.remediation).toContain('echo');
  });

  it.each([null, undefined, [], 'text', 7])('refuses %j as arguments without throwing', async (args) => {
    expect((await errorOf(serve([echo]), 'echo', args)).code).toBe('bad_argument');
  });

  it('answers a handler that throws as tool_failed, and a ToolFailure as it was meant', async () => {
    const server = serve([
      failing('breaks', () => {
        throw new Error('the disk is full');
      }),
      failing('declines', () => {
        throw new ToolFailure('unsupported_format', 'not a picture', 'Give a picture.');
      }),
      failing('throws_text', () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- authors do
        throw 'plain text';
      }),
    ]);
    expect(await errorOf(server, 'breaks')).toEqual({ code: 'tool_failed', message: 'the disk is full', remediation: null });
    expect(await errorOf(server, 'declines')).toEqual({ code: 'unsupported_format', message: 'not a picture', remediation: 'Give a picture.' });
    expect((await errorOf(server, 'throws_text')).message).toBe('plain text');
  });

  it('of a tool that does not exist names those that do', async () => {
    const error = await errorOf(serve([echo]), 'ecko');
    expect(error.message).toContain('"ecko"');
    expect(error.remediation).toContain('echo');
  });

  it('ends at its own clock even where the handler does not listen', async () => {
    const deaf = defineTool({ name: 'deaf', description: 'Never ends.', input: z.strictObject({}), timeout_s: 0.05, run: () => new Promise<never>(() => undefined) });
    const error = await errorOf(serve([deaf]), 'deaf');
    expect(error).toMatchObject({ code: 'timeout', message: containing('0.05 s') });
  });

  it('ends when it is cancelled, and its handler is told', async () => {
    let told = false;
    const waiting = defineTool({
      name: 'waiting',
      description: 'Waits.',
      input: z.strictObject({}),
      run: (_input, { signal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            told = true;
            reject(new Error('stopped'));
          });
        }),
    });
    const controller = new AbortController();
    const pending = errorOf(serve([waiting]), 'waiting', {}, controller.signal);
    setTimeout(() => controller.abort(), 20);
    expect((await pending).code).toBe('cancelled');
    expect(told).toBe(true);
  });
});

describe('the manifest', () => {
  const needing = (name: string, options: Partial<Parameters<typeof defineTool>[0]>) =>
    defineTool({ name, description: 'Needs something.', input: z.strictObject({}), run: () => ({ ran: true }), ...options });

  it('has every key of the wire form, and says what the probes found', async () => {
    const server = serve(
      [
        echo,
        needing('program', { needs: { binary: 'no-such-program' }, remediation: 'Install it.', timeout_s: 7, long_running: true }),
        needing('module', { needs: { module: 'no-such-module-anywhere' }, without: 'says less' }),
        needing('present', { needs: { module: 'node:zlib' } }),
        needing('setting', { needs: { env: ['SET', 'UNSET', 'EMPTY'] } }),
      ],
      { PATH: '', SET: 'x', EMPTY: '' },
    );
    const answer = await server.callTool('capabilities');
    const manifest = manifestWire.parse(answer.ok && answer.data);
    expect(manifest).toMatchObject({ server: 'under-test', version: '1.2.3', external: false });
    expect(manifest.tools.map(({ name, available }) => [name, available])).toEqual([
      ['echo', true], ['program', false], ['module', false], ['present', true], ['setting', false],
    ]);
    expect(manifest.tools[1]).toEqual({
      name: 'program',
      optional_dependency: 'no-such-program',
      available: false,
      reason: 'no-such-program is not on the PATH that this server sees',
      timeout_s: 7,
      remediation: 'Install it.',
      without: null,
      long_running: true,
      verify_with: [],
    });
    expect(manifest.tools[4]?.reason).toContain('UNSET and EMPTY are not set');
  });

  it('decides what a call to an unavailable tool answers', async () => {
    const server = serve([
      needing('program', { needs: { binary: 'no-such-program' }, remediation: 'Install it.' }),
      needing('setting', { needs: { env: 'UNSET' } }),
      needing('less', { needs: { binary: 'no-such-program' }, without: 'says less' }),
    ]);
    expect(await errorOf(server, 'program')).toMatchObject({ code: 'missing_dependency', remediation: 'Install it.' });
    expect(await errorOf(server, 'setting')).toMatchObject({ code: 'not_configured' });
    expect(await server.callTool('less')).toEqual({ ok: true, data: { ran: true } });
  });

  it('is external only while a tool that sends elsewhere is available', async () => {
    const tools = [needing('asks', { needs: { env: 'SERVICE' }, sends_elsewhere: true })];
    const external = async (environment: Record<string, string>) => {
      const answer = await serve(tools, environment).callTool('capabilities');
      return answer.ok && answer.data.external;
    };
    expect(await external({})).toBe(false);
    expect(await external({ SERVICE: 'https://service.example' })).toBe(true);
  });
});

describe('a definition', () => {
  it('is refused where it cannot be true', () => {
    expect(() => serve([echo, echo])).toThrow('echo');
    expect(() => serve([failing('capabilities', () => { throw new Error(); })])).toThrow('capabilities');
    expect(() => failing('not a name', () => { throw new Error(); })).toThrow('not a name');
    expect(() => defineTool({ name: 'x', description: '', input: z.strictObject({}), without: 'less', run: () => ({}) })).toThrow('needs');
  });

  it('lists tools with the schema of what a caller may leave out', () => {
    const [, listed] = serve([echo]).listTools();
    expect(listed).toMatchObject({ name: 'echo', inputSchema: { type: 'object', required: ['text'], additionalProperties: false } });
  });
});
