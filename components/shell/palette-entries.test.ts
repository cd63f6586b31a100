import { expect, test } from 'vitest';
import { filterEntries, PAGE_ENTRIES, parseServerEntries } from './palette-entries';

const SERVERS = parseServerEntries({
  servers: [{ key: 'files', label: 'Files on this host', tools: [{ name: 'read_text' }, { name: 'a&b' }] }, { key: 'remote' }],
});

test('servers and their tools are found by any words of theirs, the nearest first', () => {
  const found = filterEntries([...PAGE_ENTRIES, ...SERVERS], 're');
  expect(found.slice(0, 2).map((entry) => entry.label)).toEqual(['read_text', 'remote']);
  expect(filterEntries(SERVERS, 'host files').map((entry) => entry.label)).toEqual(['files']);
});

test('without words pages and servers are listed, not every tool', () => {
  expect(filterEntries([...PAGE_ENTRIES, ...SERVERS], ' ').some((entry) => entry.kind === 'tool')).toBe(false);
});

test('a tool is reached on its server’s page, whatever its name', () => {
  expect(SERVERS.find((entry) => entry.label === 'a&b')?.href).toBe('/servers/files/tools?tool=a%26b');
});
