import { describe, expect, it } from 'vitest';
import { isPackageRunner, isSameConnection, parseServerEntry, redactEntry, secretFieldsOf } from '.';

function entryOf(fields: object) {
  const parsed = parseServerEntry({ key: 'a', ...fields });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

describe('secretFieldsOf and redactEntry', () => {
  it('finds secrets in env and args and hides their values alone', () => {
    const entry = entryOf({
      command: 'npx',
      args: ['-y', 'server', '--api-key', 'abc123', '--token=xyz789', '--port', '80'],
      env: { API_KEY: 'k-1', REGION: 'eu', OTHER: '${secret:X}', GH_TOKEN: '${GH_TOKEN}' },
    });
    expect(secretFieldsOf(entry)).toEqual(['env.API_KEY', 'args.3', 'args.4']);
    const shown = JSON.stringify(redactEntry(entry));
    for (const secret of ['k-1', 'abc123', 'xyz789']) expect(shown).not.toContain(secret);
    expect(redactEntry(entry)).toMatchObject({
      args: ['-y', 'server', '--api-key', '[redacted]', '--token=[redacted]', '--port', '80'],
      env: { API_KEY: '[redacted]', REGION: 'eu', OTHER: '${secret:X}', GH_TOKEN: '${GH_TOKEN}' },
    });
  });

  it('finds secrets in headers and in the url', () => {
    const entry = entryOf({ url: 'https://a.example/mcp?api_key=abcdef', headers: { Authorization: 'Bearer abcdefghijkl', 'X-Team': 'red' } });
    expect(secretFieldsOf(entry)).toEqual(['headers.Authorization', 'url']);
    expect(JSON.stringify(redactEntry(entry))).not.toContain('abcdef');
    expect(redactEntry(entry)).toMatchObject({ headers: { 'X-Team': 'red' } });
  });
});

describe('isSameConnection', () => {
  it('depends on how a server is reached, not on what it is called', () => {
    const entry = entryOf({ command: 'x', args: ['1'] });
    expect(isSameConnection(entry, { ...entry, label: 'Other', tools: ['a'], enabled: false })).toBe(true);
    expect(isSameConnection(entry, entryOf({ command: 'x', args: ['2'] }))).toBe(false);
    expect(isSameConnection(entry, { ...entry, era: 'legacy' })).toBe(false);
  });
});

describe('isPackageRunner', () => {
  it.each([
    ['npx', ['-y', 'x'], true],
    ['/usr/bin/uvx', ['x'], true],
    ['C:\\nodejs\\npx.cmd', [], true],
    ['pnpm', ['dlx', 'x'], true],
    ['docker', ['run', '--rm', 'x'], true],
    ['npm', ['start'], false],
    ['node', ['server.js'], false],
    ['constructor', [], false],
  ])('%s %j: %s', (command, args, runner) => {
    expect(isPackageRunner(command, args)).toBe(runner);
  });
});
