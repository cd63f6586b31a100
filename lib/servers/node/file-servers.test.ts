import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toServerKey } from '..';
import { FileServers } from './file-servers';

const containing = (part: string): unknown => expect.stringContaining(part);

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'signalbox-file-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

describe('FileServers', () => {
  it('reads servers, keeps a broken one apart and says what was not taken over', () => {
    const text = '\uFEFF{"mcpServers": {"good": {"command": "x", "autoApprove": []}, "bad": {"args": []}}}';
    const file = write('servers.json', text);
    const read = FileServers.read(file);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.list()).toMatchObject([{ source: 'file', revision: 0, reviewedAt: null, entry: { key: 'good', tools: null, enabled: true } }]);
    expect(read.value.find(toServerKey('good'))?.entry.key).toBe('good');
    expect(read.value.find(toServerKey('bad'))).toBeUndefined();
    expect(read.value.broken).toMatchObject([{ key: 'bad', errors: [{ field: 'command' }] }]);
    expect(read.value.warnings).toEqual(['good: not taken over from the file: autoApprove.']);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('reads TOML by its name', () => {
    const read = FileServers.read(write('config.toml', '# mine\n[mcp.fs]\ncommand = "x"\n[permissions]\ndeny = ["fs__rm"]\n'));
    expect(read.ok && read.value.permissions.deny).toEqual(['fs__rm']);
  });

  it('gives the place where a file is cut off, and a sentence for one that is not there', () => {
    expect(FileServers.read(write('cut.json', '{\n"mcpServers": {'))).toMatchObject({ ok: false, error: { line: 2, column: 16 } });
    expect(FileServers.read(join(directory, 'none.json'))).toMatchObject({ ok: false, error: { line: null, message: containing('ENOENT') } });
    expect(FileServers.read(directory)).toMatchObject({ ok: false, error: { message: containing('cannot be read') } });
  });
});
