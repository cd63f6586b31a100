import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from './env';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-env-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** An installation at a place, and the program in it that was started. */
function install(...place: string[]): { root: string; program: string } {
  const root = join(directory, ...place);
  mkdirSync(join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"name":"signalbox"}');
  writeFileSync(join(root, 'bin', 'signalbox'), '');
  return { root, program: join(root, 'bin', 'signalbox') };
}

describe('where things stand', () => {
  it('keeps data beside the code in a clone', () => {
    const { root, program } = install('clone');
    const env = readEnvironment({}, program);
    expect(env).toMatchObject({ packageRoot: root, home: join(root, '.signalbox'), host: '127.0.0.1', port: 4280, allowedHosts: [] });
  });

  it('keeps data among the data of the user when installed as a package', () => {
    const { root, program } = install('node_modules', 'signalbox');
    expect(readEnvironment({ XDG_DATA_HOME: '/data' }, program)).toMatchObject({ packageRoot: root, home: '/data/signalbox' });
    expect(readEnvironment({ XDG_DATA_HOME: 'relative', HOME: '/home/ann' }, program).home).toMatch(/\.local\/share\/signalbox$/);
  });

  it('takes SIGNALBOX_HOME and SIGNALBOX_PACKAGE_ROOT before all', () => {
    const { program } = install('clone');
    const other = install('other');
    const env = readEnvironment({ SIGNALBOX_HOME: '/srv/signalbox', SIGNALBOX_PACKAGE_ROOT: other.root }, program);
    expect(env).toMatchObject({ home: '/srv/signalbox', packageRoot: other.root });
  });
});

describe('what is handed on', () => {
  it('is everything but the variables of the console itself', () => {
    const { program } = install('clone');
    const env = readEnvironment({ PATH: '/bin', SIGNALBOX_HOME: '/x', SIGNALBOX_JOB_DIR: '/y' }, program);
    expect(env.inherited).toEqual({ PATH: '/bin' });
  });
});

describe('bad values', () => {
  it.each([
    ['SIGNALBOX_PORT', 'eighty', 'a number from 1 to 65535'],
    ['SIGNALBOX_PORT', '70000', 'a number from 1 to 65535'],
    ['SIGNALBOX_HOST', 'http://x', 'an address or a name'],
    ['SIGNALBOX_VAULT_KEY', 'short', '32 bytes'],
    ['SIGNALBOX_ALLOWED_HOSTS', 'ok.example, https://bad.example/', 'names separated by commas'],
    ['SIGNALBOX_METRICS_TOKEN', 'short', 'at least 16 characters'],
    ['SIGNALBOX_LOG_LEVEL', 'loud', 'one of trace, debug'],
  ])('%s=%s is refused with a sentence', (name, value, rule) => {
    const { program } = install('clone');
    expect(() => readEnvironment({ [name]: value }, program)).toThrow(new RegExp(`${name} is not usable: it must be ${rule}`));
  });

  it('counts a variable that is set to nothing as not set', () => {
    const { program } = install('clone');
    expect(readEnvironment({ SIGNALBOX_PORT: '', SIGNALBOX_VAULT_KEY: '' }, program)).toMatchObject({ port: 4280, vaultKey: null });
  });

  it('wants the first admin whole', () => {
    const { program } = install('clone');
    expect(() => readEnvironment({ SIGNALBOX_ADMIN_EMAIL: 'a@example.org' }, program)).toThrow('SIGNALBOX_ADMIN_PASSWORD is not: set both');
  });
});
