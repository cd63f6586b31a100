import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/core';
import { parseServerEntry } from '@/lib/servers';
import { describeTools, manifestFromResult, mendToolList, parseManifest, riskOf, unavailableTools } from '.';

const containing = (part: string): unknown => expect.stringContaining(part);

const whole = {
  server: 'analysis', version: '1.0', external: true,
  tools: [
    { name: 'scan', optional_dependency: 'yara', available: false, reason: 'yara is not installed', timeout_s: 60, remediation: 'Install yara.', without: null, long_running: true, verify_with: ['list'] },
    { name: 'look', available: null },
    { available: false },
    { name: 7 },
    'text',
    { name: 'asks', available: false, without: 'local rules' },
  ],
};

const asText = (value: unknown): JsonObject => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

describe('parseManifest', () => {
  it('reads what is there and skips entries without a name', () => {
    const manifest = parseManifest(whole);
    expect(manifest).toMatchObject({ server: 'analysis', version: '1.0', external: true });
    expect(manifest?.tools).toEqual([
      { name: 'scan', optionalDependency: 'yara', available: false, reason: 'yara is not installed', timeoutS: 60, remediation: 'Install yara.', without: null, longRunning: true, verifyWith: ['list'] },
      { name: 'look', optionalDependency: null, available: true, reason: null, timeoutS: null, remediation: null, without: null, longRunning: false, verifyWith: [] },
      expect.objectContaining({ name: 'asks', available: false, without: 'local rules' }),
    ]);
  });

  it.each([null, 'text', [], {}, { tools: {} }, { tools: null }])('finds none in %j', (value) => {
    expect(parseManifest(value)).toBeNull();
  });

  it('takes wrong types for absent', () => {
    expect(parseManifest({ external: 'yes', tools: [{ name: 'a', timeout_s: '9', verify_with: 'b', long_running: 1, reason: {} }] })).toMatchObject({
      external: false, server: null, tools: [{ timeoutS: null, verifyWith: [], longRunning: false, reason: null, available: true }],
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ tools: fc.array(fc.jsonValue()) })), (value) => {
        parseManifest(value);
      }),
    );
  });
});

describe('manifestFromResult', () => {
  it('reads structured content, else the only text as JSON', () => {
    expect(manifestFromResult({ content: [], structuredContent: { server: 'analysis', tools: [] } }).manifest?.server).toBe('analysis');
    expect(manifestFromResult(asText(whole))).toMatchObject({ problem: null, manifest: { server: 'analysis' } });
  });

  it.each([
    [{ content: [{ type: 'text', text: 'no JSON' }] }, 'no JSON'],
    [{ content: [] }, 'no JSON'],
    [{ content: [{ type: 'text', text: '{"tools":[]}' }, { type: 'text', text: '{}' }] }, 'no JSON'],
    [asText({ error: { code: 'tool_failed' } }), 'no list'],
    [{ ...asText(whole), isError: true }, 'an error'],
  ])('says why there is none in %j', (result, part) => {
    expect(manifestFromResult(result)).toMatchObject({ manifest: null, problem: containing(part) });
  });
});

describe('describeTools', () => {
  const parsed = parseServerEntry({ key: 'an', command: 'x', tools: ['scan'], verify_with: { asks: ['check'] } });
  if (!parsed.ok) throw new Error('the entry is wrong');
  const toolList = mendToolList([
    { name: 'capabilities', inputSchema: {} },
    { name: 'scan', inputSchema: {}, annotations: { readOnlyHint: true, openWorldHint: true } },
    { name: 'broken' },
    { name: 'asks', inputSchema: {} },
  ]);
  const manifest = parseManifest({ ...whole, tools: [...whole.tools, { name: 'gone', available: false, reason: 'off' }] });
  const views = describeTools({ entry: parsed.value, toolList, manifest, exposedNameOf: (tool) => `an__${tool}` });

  it('joins each tool with exposure, name and availability', () => {
    expect(views.map(({ name, exposed, exposedName, plumbing, available, setAside }) => ({ name, exposed, exposedName, plumbing, available, setAside }))).toEqual([
      { name: 'capabilities', exposed: false, exposedName: null, plumbing: true, available: true, setAside: null },
      { name: 'scan', exposed: true, exposedName: 'an__scan', plumbing: false, available: false, setAside: null },
      { name: 'asks', exposed: false, exposedName: 'an__asks', plumbing: false, available: false, setAside: null },
      { name: 'broken', exposed: false, exposedName: null, plumbing: false, available: true, setAside: 'It has no inputSchema.' },
    ]);
    expect(views[1]).toMatchObject({ risk: 'reads only', openWorld: true, timeoutS: 60, longRunning: true, verifyWith: ['list'] });
    expect(views[2]?.verifyWith).toEqual(['check']);
  });

  it('keeps an unavailable tool that only the manifest names off the tools and on the card', () => {
    expect(views.map(({ name }) => name)).not.toContain('gone');
    expect(unavailableTools(toolList, manifest).map(({ name, listed, without }) => [name, listed, without])).toEqual([
      ['scan', true, null], ['asks', true, 'local rules'], ['gone', false, null],
    ]);
    expect(unavailableTools(toolList, null)).toEqual([]);
  });
});

it.each([
  [{}, 'not stated'],
  [{ readOnlyHint: true, destructiveHint: true }, 'reads only'],
  [{ destructiveHint: true }, 'may destroy'],
  [{ readOnlyHint: false }, 'may destroy'],
  [{ readOnlyHint: false, destructiveHint: false }, 'changes things'],
] as const)('riskOf %j is %s', (annotations, risk) => {
  expect(riskOf(annotations)).toBe(risk);
});
