import { describe, expect, it } from 'vitest';
import { mendToolList, type ServerSnapshot } from '@/lib/manifests';
import type { ConnectedFacts } from '@/lib/pool';
import { parseServerEntry, type ServerEntry } from '@/lib/servers';
import { listWarnings, type ConnectionTestResult } from '@/lib/testing-connections';
import { listServerWarnings } from './server-warnings';

function entryOf(fields: object): ServerEntry {
  const parsed = parseServerEntry({ key: 'odd', url: 'https://odd.example/mcp', ...fields });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

const snapshotOf = (tools: readonly unknown[], warnings: readonly string[] = []): ServerSnapshot => ({
  readAt: 1, toolList: { ...mendToolList([...tools]), warnings }, manifest: null, manifestProblem: null, resources: [], resourceTemplates: [], prompts: [],
});

const GOOD_TOOL = { name: 'echo', inputSchema: { type: 'object' } };
const FACTS: ConnectedFacts = { transport: 'sse', era: 'legacy', protocolVersion: '2024-11-05', serverInfo: null, instructions: null, processId: null, connectedAt: 1 };
const NO_LINES = { count: 0, first: null };
type WarnedServer = Parameters<typeof listServerWarnings>[0];

const PLAIN: WarnedServer & { readonly snapshot: ServerSnapshot } = { entry: entryOf({}), facts: { ...FACTS, transport: 'http' }, snapshot: snapshotOf([GOOD_TOOL]), strayLines: NO_LINES, lastTest: null };

const testOf = (result: Partial<ConnectionTestResult>): ConnectionTestResult => ({
  startedAt: 1, finishedAt: 2, ok: true, latencyMs: 1, stages: [], failure: null, warnings: [], facts: null, snapshot: null, strayLines: NO_LINES, ...result,
});

const textsOf = (server: Partial<WarnedServer>) => listServerWarnings({ ...PLAIN, ...server }, 'admin').map(({ text }) => text);

describe('what is odd about a server', () => {
  it('is nothing for one that does all as it should, or that nobody has read yet', () => {
    expect(textsOf({})).toEqual([]);
    expect(textsOf({ snapshot: null, facts: null })).toEqual([]);
  });

  it('is each kind by itself', () => {
    expect(textsOf({ entry: entryOf({ tls: { insecure: true } }) })).toEqual([expect.stringMatching(/^TLS not verified/)]);
    expect(textsOf({ facts: FACTS })).toEqual([expect.stringContaining('HTTP+SSE')]);
    expect(textsOf({ snapshot: snapshotOf([]) })).toEqual([expect.stringContaining('tool list is empty')]);
    expect(textsOf({ snapshot: snapshotOf([GOOD_TOOL, { name: 'broken' }]) })).toEqual([expect.stringContaining('"broken"')]);
    expect(textsOf({ snapshot: snapshotOf([GOOD_TOOL], ['The list was cut short.']) })).toEqual(['The list was cut short.']);
  });

  it('is told of the lists and lines as they are now, and of the rest as the last test found it', () => {
    const before = snapshotOf([], ['Cut before.']);
    const lastTest = testOf({ snapshot: before, strayLines: { count: 1, first: 'hi' }, warnings: [...listWarnings(before.toolList, { count: 1, first: 'hi' }), 'Cut before.', 'It sends CR.'] });
    expect(textsOf({ strayLines: { count: 7, first: 'hello' }, lastTest })).toEqual([expect.stringContaining('7 lines, the first "hello"'), 'It sends CR.']);
  });

  it('keeps what it printed from those who may not see contents', () => {
    const strayLines = { count: 2, first: 'token=abc' };
    const [now] = listServerWarnings({ ...PLAIN, strayLines }, 'viewer');
    const [tested] = listServerWarnings({ ...PLAIN, lastTest: testOf({ strayLines, warnings: listWarnings(PLAIN.snapshot.toolList, strayLines) }) }, 'viewer');
    expect(now).toEqual({ text: expect.stringContaining('2 lines.') as string, page: 'log' });
    expect(tested).toEqual(now);
  });
});
