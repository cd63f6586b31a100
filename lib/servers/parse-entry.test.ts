import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldError } from '@/lib/core';
import { checkEffectiveLimits, parseServerEntry, toStatedFields, type ServerEntry } from '.';

function parse(input: unknown): ServerEntry {
  const parsed = parseServerEntry(input, { key: 'fs' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

function errorsOf(input: unknown): readonly FieldError[] {
  const parsed = parseServerEntry(input, { key: 'fs' });
  return parsed.ok ? [] : parsed.error;
}

const fieldsOf = (input: unknown) => errorsOf(input).map(({ field }) => field);

describe('parseServerEntry', () => {
  it('fills the defaults of a command', () => {
    expect(parse({ command: 'npx' })).toEqual({
      key: 'fs', label: 'fs', enabled: true, connect: 'start', transport: 'stdio', command: 'npx', args: [], env: {}, env_allow: [],
      era: 'auto', prefix: true, aliases: {}, tools: null, limits: {}, required: false, external: false, trusted: true,
      instructions: 'include', verify_with: {}, share: false, reads_errors: true, tags: [],
    });
  });

  it.each([
    [{ command: 'x' }, 'stdio'],
    [{ url: 'https://a.example/mcp' }, 'http'],
    [{ url: 'https://a.example/sse', transport: 'sse' }, 'sse'],
    [{ url: 'wss://a.example' }, 'websocket'],
    [{ url: '${BASE}/mcp' }, 'http'],
    [{ url: '${BASE}/mcp', transport: 'websocket' }, 'websocket'],
  ])('infers the transport of %j', (input, transport) => {
    expect(parse(input).transport).toBe(transport);
  });

  it.each([
    [{ command: 'x', url: 'https://a.example' }, 'url'],
    [{ command: 'x', transport: 'http' }, 'transport'],
    [{ url: 'https://a.example', transport: 'stdio' }, 'transport'],
    [{ url: 'ws://a.example', transport: 'http' }, 'transport'],
    [{ url: 'https://a.example', transport: 'websocket' }, 'transport'],
    [{ url: 'https://a.example', transport: 'pigeon' }, 'transport'],
    [{ url: 'https://a.example', transport: 'sse', era: 'modern' }, 'era'],
    [{}, 'command'],
    [{ command: '' }, 'command'],
    [{ transport: 'http' }, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url: 'ftp://a.example' }, 'url'],
    [{ url: 'https://user:pass@a.example' }, 'url'],
    [{ url: 'https://a.example', cwd: '/tmp' }, 'cwd'],
    [{ command: 'x', headers: { A: 'b' } }, 'headers'],
    [{ command: 'x', args: 'one two' }, 'args'],
    [{ command: 'x', env: { PORT: 1 } }, 'env.PORT'],
    [{ command: 'x', env: { SIGNALBOX_VAULT_KEY: '1' } }, 'env.SIGNALBOX_VAULT_KEY'],
    [{ command: 'x', env_allow: ['OK', 'signalbox_home'] }, 'env_allow.1'],
    [{ url: 'https://a.example', token_env: 'SIGNALBOX_KEY' }, 'token_env'],
    [{ url: 'https://a.example', token_env: 'TOKEN', headers: { authorization: 'Bearer x' } }, 'token_env'],
    [{ url: 'https://a.example', auth: { kind: 'bearer', secret: 'T' }, headers: { Authorization: 'x' } }, 'auth'],
    [{ command: 'x', limits: { idle_s: 20, total_s: 10 } }, 'limits.total_s'],
    [{ command: 'x', limits: { idle_s: 20, tools: { slow: { total_s: 10 } } } }, 'limits.tools.slow.total_s'],
    [{ command: 'x', limits: { connect_s: -1 } }, 'limits.connect_s'],
    [{ command: 'x', limits: { conect_s: 1 } }, 'limits.conect_s'],
    [{ command: 'x', tools: ['good', 'b\u0007d'] }, 'tools.1'],
    [{ command: 'x', aliases: { read: 'has space' } }, 'aliases.read'],
    [{ command: 'x', aliases: { a: 'same', b: 'same' } }, 'aliases.b'],
    [{ command: 'x', tags: ['two\nlines'] }, 'tags.0'],
    [{ command: 'x', sample_mount: '/data/${HOME}/${broken' }, 'sample_mount'],
    [{ command: 'x', sample_mount: '/data/${SIGNALBOX_HOME}' }, 'sample_mount'],
    [{ command: 'x', args: ['${SIGNALBOX_RUN_ID}'] }, 'args.0'],
    [{ command: 'x', enabled: 'yes' }, 'enabled'],
    ['text', ''],
    [null, ''],
  ])('refuses %j at %s', (input, field) => {
    expect(fieldsOf(input)).toContain(field);
    for (const { message } of errorsOf(input)) expect(message).toMatch(/^[A-Z"a-z].*[.?!]$/);
  });

  it('names a field that does not exist, and the one that was meant', () => {
    expect(errorsOf({ comand: 'x', command: 'y' })).toEqual([
      { field: 'comand', message: '"comand" is no field of a server entry. Did you mean "command"?' },
    ]);
  });

  it('refuses a bad key and asks for a missing one', () => {
    const bad = parseServerEntry({ key: 'Bad__Key', command: 'x' });
    expect(!bad.ok && bad.error.map(({ field }) => field)).toEqual(['key']);
    const none = parseServerEntry({ command: 'x' });
    expect(!none.ok && none.error.map(({ field }) => field)).toEqual(['key']);
  });

  it('reports all errors at once', () => {
    expect(fieldsOf({ command: 'x', args: [1], enabled: 1, limits: { total_s: 'long' } })).toEqual(
      expect.arrayContaining(['args.0', 'enabled', 'limits.total_s']),
    );
  });

  it('takes what empty forms and other programs leave behind as nothing', () => {
    expect(parse({ url: 'https://a.example', command: '', args: [], env: {}, cwd: '', token_env: null })).toMatchObject({ transport: 'http' });
    expect(parse({ command: 'x', tools: null }).tools).toBeNull();
  });

  it('takes the two placeholders of a mounted job', () => {
    const entry = parse({ command: 'docker', args: ['-v', '${SIGNALBOX_JOB_DIR}:/data'], sample_mount: '/data/${SIGNALBOX_RUN_ID}' });
    expect(entry.sample_mount).toBe('/data/${SIGNALBOX_RUN_ID}');
  });

  it('keeps to the defaults when an entry is saved: a total below the idle clock in force is refused', () => {
    expect(checkEffectiveLimits({ total_s: 60 }).map(({ field }) => field)).toEqual(['limits.total_s']);
    expect(checkEffectiveLimits({ total_s: 60, idle_s: 30 })).toEqual([]);
  });

  describe('headers', () => {
    const withHeader = (name: string, value: string) => ({ url: 'https://a.example', headers: { [name]: value } });

    it.each(['a\r\nX-Inj: 1', 'a\nb', 'a\u0000b', 'Łukasz'])('refuses a value without quoting it (%j)', (value) => {
      const [error] = errorsOf(withHeader('X-Name', value));
      expect(error?.field).toBe('headers.X-Name');
      expect(error?.message).not.toContain(value);
      expect(error?.message).not.toContain('X-Inj');
    });

    it.each(['Host', 'content-length', 'Transfer-Encoding', 'mcp-session-id', 'two words', ''])('refuses the name %j', (name) => {
      expect(errorsOf(withHeader(name, 'x'))).toHaveLength(1);
    });

    it('trims the newline of a pasted token', () => {
      expect(parse(withHeader('Authorization', ' Bearer abc\n'))).toMatchObject({ headers: { Authorization: 'Bearer abc' } });
    });

    it('refuses one header written in two ways', () => {
      expect(fieldsOf({ url: 'https://a.example', headers: { 'X-A': '1', 'x-a': '2' } })).toEqual(['headers.x-a']);
    });
  });

  it('never throws, and what it takes it takes again unchanged', () => {
    const field = fc.constantFrom('command', 'url', 'args', 'env', 'headers', 'limits', 'tools', 'auth', 'tls', 'aliases', '__proto__', 'key', 'x');
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (input) => {
        const parsed = parseServerEntry(input, { key: 'fs' });
        if (parsed.ok) expect(parseServerEntry(parsed.value)).toEqual(parsed);
        else expect(parsed.error.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('toStatedFields', () => {
  it('leaves out the key, defaults and a transport that is plain', () => {
    expect(toStatedFields(parse({ command: 'npx', args: ['-y', 'x'], label: 'Files', enabled: false }))).toEqual({
      command: 'npx', args: ['-y', 'x'], label: 'Files', enabled: false,
    });
    expect(toStatedFields(parse({ url: 'https://a.example', transport: 'sse' }))).toEqual({ url: 'https://a.example', transport: 'sse' });
  });
});
