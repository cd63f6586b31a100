import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import { AuditLog } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import { runIds, type FieldError } from '@/lib/core';
import { FileServers, ServerStore } from '.';

/** Values of headers that must not reach a connection, by what is wrong with them. */
const BAD_VALUES = [
  ['a line that would be a header', 'tok-12345\r\nX-Inj: 1'],
  ['a line feed', 'tok-12345\nmore'],
  ['a carriage return', 'tok-12345\rmore'],
  ['NUL', 'tok-12345\u0000'],
  ['letters outside Latin-1', 'tok-12345 Łukasz'],
] as const;
const OWN_NAMES = ['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Mcp-Session-Id', 'MCP-Protocol-Version', 'Mcp-Method', 'mcp-name', 'Mcp-Param-Region', 'Last-Event-ID'];

const directory = mkdtempSync(join(tmpdir(), 'signalbox-headers-'));
const database = openTestDatabase();
afterAll(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

const ann: Principal = { actor: { kind: 'person', name: 'ann@example.org' }, role: 'operator', sessionRunId: runIds.create() };
const store = new ServerStore({ database, audit: new AuditLog({ database, clock: { now: () => 0 } }), bus: { publish: () => undefined }, clock: { now: () => 0 }, bundled: null });

/** What saving says: the form and the API both come to the store. */
function errorsOfSave(headers: Record<string, string>): readonly FieldError[] {
  const saved = store.create({ key: `k${Math.random().toString(36).slice(2, 10)}`, url: 'https://a.example/mcp', headers }, ann);
  return saved.ok || saved.error.kind !== 'invalid' ? [] : saved.error.fields;
}

/** What a configuration file says. */
function errorsOfFile(headers: Record<string, string>): readonly FieldError[] {
  const file = join(directory, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { remote: { url: 'https://a.example/mcp', headers } } }));
  const read = FileServers.read(file);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.broken.flatMap(({ errors }) => errors);
}

describe.each([['a save', errorsOfSave], ['a file', errorsOfFile]] as const)('the headers of %s', (_, errorsOf) => {
  it.each(BAD_VALUES)('are refused with %s, naming the header and never the value', (__, value) => {
    const errors = errorsOf({ 'X-Token': value });
    expect(errors.map(({ field }) => field)).toEqual(['headers.X-Token']);
    expect(errors[0]?.message).toContain('X-Token');
    expect(JSON.stringify(errors)).not.toContain('tok-12345');
  });

  it.each(OWN_NAMES)('may not set %s', (name) => {
    const errors = errorsOf({ [name]: 'tok-12345' });
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toContain('tok-12345');
  });

  it('may be ordinary, and have white space around a secret', () => {
    expect(errorsOf({ Authorization: ' Bearer abc\n', Accept: 'application/json', 'Content-Type': 'application/json', 'X-Name': 'Zoë' })).toEqual([]);
  });

  it('may not have names that are none', () => {
    expect(errorsOf({ 'X Token': 'tok-12345' })).toHaveLength(1);
    expect(errorsOf({ 'X-A\r\nX-Inj': 'tok-12345' })).toHaveLength(1);
  });
});
