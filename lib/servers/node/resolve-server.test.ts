import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseServerEntry, type ResolvedServer } from '..';
import { toChildEnvironment } from './child-environment';
import { findProxy } from './find-proxy';
import { resolveServer, type ResolveContext } from './resolve-server';

const environment = {
  PATH: '/bin', HOME: '/home/ann', LANG: 'C.UTF-8', LC_ALL: 'C', TOKEN: ' t0ken\n', MARKER: 'm', HTTPS_PROXY: 'http://proxy:3128',
  SIGNALBOX_VAULT_KEY: 'k', APPDATA: 'w',
};
const context: ResolveContext = {
  environment,
  findSecret: (name) => (name === 'S' ? 's3cret' : undefined),
  jobDirectory: '/jobs/console',
  runId: null,
};

function entryOf(fields: object) {
  const parsed = parseServerEntry({ key: 'a', ...fields });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

function resolve(fields: object, over: Partial<ResolveContext> = {}): ResolvedServer {
  const resolved = resolveServer(entryOf(fields), { ...context, ...over });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return resolved.value;
}

function errorsOf(fields: object, over: Partial<ResolveContext> = {}) {
  const resolved = resolveServer(entryOf(fields), { ...context, ...over });
  return resolved.ok ? [] : resolved.error;
}

describe('resolveServer of a command', () => {
  it('gives the child the safe names, what the entry allows and sets, and its job directory; nothing else', () => {
    const { transport } = resolve({ command: '${HOME}/x', env_allow: ['MARKER', 'ABSENT'], env: { KEY: '${secret:S}', LANG: 'de' } });
    expect(transport).toMatchObject({
      command: '/home/ann/x',
      env: {
        PATH: '/bin', HOME: '/home/ann', LANG: 'de', LC_ALL: 'C', MARKER: 'm', KEY: 's3cret',
        PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8', SIGNALBOX_JOB_DIR: '/jobs/console',
      },
    });
    expect(transport.kind === 'stdio' && Object.keys(transport.env)).toHaveLength(9);
  });

  it('tells the job directory in args and not to a server elsewhere', () => {
    const { transport, sampleMount } = resolve(
      { command: 'docker', args: ['-v', '${SIGNALBOX_JOB_DIR}:/data'], sample_mount: '/data/${SIGNALBOX_RUN_ID}' },
      { runId: 'run_1' },
    );
    expect(transport).toMatchObject({ args: ['-v', '/jobs/console:/data'] });
    expect(transport.kind === 'stdio' && transport.env).not.toHaveProperty('SIGNALBOX_JOB_DIR');
    expect(sampleMount).toBe('/data/run_1');
  });

  it('names every field and variable that cannot be resolved, and no value', () => {
    const errors = errorsOf({ command: 'x', args: ['${ONE}', 'ok', '${ONE}'], env: { A: '${secret:TWO}' }, cwd: '${THREE}' });
    expect(errors.map(({ field }) => field)).toEqual(['cwd', 'env.A', 'args.0', 'args.2']);
    expect(errors.map(({ message }) => message).join(' ')).toMatch(/THREE.*TWO.*ONE.*ONE/);
    expect(errorsOf({ command: 'x', args: ['${SIGNALBOX_JOB_DIR}'] }, { jobDirectory: null })).toHaveLength(1);
  });

  it('collects the secret values that went into it', () => {
    expect(resolve({ command: 'x', env: { API_KEY: 'literal', A: '${secret:S}' } }).secretValues).toEqual(['s3cret', 'literal']);
  });

  it('counts as secret what is handed on by a secret name, wherever it goes', () => {
    expect(resolve({ command: 'x', env_allow: ['TOKEN', 'MARKER'] }).secretValues).toEqual(['t0ken']);
    expect(resolve({ command: 'x', env: { FOO: '${TOKEN}' } }).secretValues).toEqual(['t0ken']);
    const args = ['--api-key=abcd', '--token', 'efgh', '--mode', 'fast'];
    expect(resolve({ command: 'x', args }).secretValues).toEqual(['abcd', 'efgh']);
    expect(resolve({ url: 'https://a.example/mcp?api_key=abcd&page=2' }).secretValues).toEqual(['abcd']);
  });
});

describe('the fingerprint', () => {
  const print = (fields: object, over: Partial<ResolveContext> = {}) => resolve(fields, over).fingerprint;

  it('is that of the connection: neither the key, the label nor the job change it', () => {
    const one = print({ command: 'x', args: ['${SIGNALBOX_JOB_DIR}'] });
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(print({ key: 'b', label: 'B', command: 'x', args: ['${SIGNALBOX_JOB_DIR}'], tools: [] }, { jobDirectory: '/jobs/other' })).toBe(one);
  });

  it('is the same from another terminal and in another language, unless the entry hands these on', () => {
    const from = (environment: Readonly<Record<string, string>>, fields: object = {}) => print({ command: 'x', ...fields }, { environment: { PATH: '/bin', ...environment } });
    expect(from({ TERM: 'xterm', LANG: 'C', SHELL: '/bin/sh' })).toBe(from({ LC_ALL: 'de_DE.UTF-8', USER: 'ann' }));
    expect(from({ LANG: 'C' }, { env_allow: ['LANG'] })).not.toBe(from({ LANG: 'de' }, { env_allow: ['LANG'] }));
  });

  it('differs with what the connection depends on', () => {
    const all = [
      print({ command: 'x' }), print({ command: 'y' }), print({ command: 'x', args: [''] }), print({ command: 'x', env: { A: '1' } }),
      print({ command: 'x', cwd: '/' }), print({ command: 'x', era: 'legacy' }), print({ command: 'x' }, { environment: { PATH: '/other' } }),
      print({ url: 'https://a.example' }), print({ url: 'https://a.example', headers: { A: 'b' } }), print({ url: 'https://a.example', token_env: 'TOKEN' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('resolveServer of a url', () => {
  it('sends the token of a variable or of the vault as a bearer token, trimmed', () => {
    expect(resolve({ url: 'http://localhost:1/mcp', token_env: 'TOKEN' })).toMatchObject({
      transport: { headers: { Authorization: 'Bearer t0ken' }, proxy: null }, secretValues: ['t0ken'],
    });
    expect(resolve({ url: 'https://a.example', auth: { kind: 'bearer', secret: 'S' } })).toMatchObject({
      transport: { headers: { Authorization: 'Bearer s3cret' }, proxy: 'http://proxy:3128' },
    });
  });

  it('refuses what became no url, a missing token and a value that is no header, without quoting it', () => {
    expect(errorsOf({ url: '${HOME}' })).toMatchObject([{ field: 'url' }]);
    expect(errorsOf({ url: 'https://a.example', token_env: 'NONE' })).toMatchObject([{ field: 'token_env' }]);
    expect(errorsOf({ url: 'https://a.example', auth: { kind: 'bearer', secret: 'NONE' } })).toMatchObject([{ field: 'auth.secret' }]);
    const [error] = errorsOf({ url: 'https://a.example', headers: { 'X-A': '${BAD}' } }, { environment: { BAD: 'a\r\nX-Inj: 1' } });
    expect(error?.field).toBe('headers.X-A');
    expect(error?.message).not.toContain('X-Inj');
  });

  it('reads the files of tls, or takes their text', () => {
    const directory = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
    try {
      writeFileSync(join(directory, 'ca.pem'), 'CERTIFICATE');
      const pem = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----';
      expect(resolve({ url: 'https://a.example', tls: { ca: join(directory, 'ca.pem'), key: pem, insecure: true } }).transport).toMatchObject({
        tls: { ca: 'CERTIFICATE', key: pem, insecure: true },
      });
      expect(errorsOf({ url: 'https://a.example', tls: { cert: join(directory, 'none.pem') } })).toMatchObject([{ field: 'tls.cert' }]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

it('toChildEnvironment hands on the Windows counterparts there, whatever their case', () => {
  const inherited = { Path: 'C:\\', SystemRoot: 'C:\\Windows', SECRET: 'x' };
  expect(toChildEnvironment({ inherited, allowed: [], own: { PYTHONUTF8: '0' }, platform: 'win32' })).toEqual({
    Path: 'C:\\', SystemRoot: 'C:\\Windows', PYTHONUTF8: '0', PYTHONIOENCODING: 'utf-8',
  });
});

describe('findProxy', () => {
  const proxies = { http_proxy: 'http://p:1', HTTPS_PROXY: 'http://p:2', NO_PROXY: 'internal.example, .corp, 10.0.0.1:8080' };
  it.each([
    ['http://a.example', 'http://p:1'],
    ['https://a.example', 'http://p:2'],
    ['https://internal.example', null],
    ['https://x.internal.example', null],
    ['https://notinternal.example', 'http://p:2'],
    ['https://x.corp', null],
    ['http://10.0.0.1:8080', null],
    ['http://10.0.0.1:9090', 'http://p:1'],
    ['http://localhost:3000', null],
    ['http://127.0.0.1', null],
    ['http://[::1]:1', null],
  ])('%s goes by %s', (url, proxy) => {
    expect(findProxy(new URL(url), proxies)).toBe(proxy);
  });
});
