import { describe, expect, it } from 'vitest';
import type { CapabilityManifest, ServerSnapshot } from '@/lib/manifests';
import { mendToolList } from '@/lib/manifests';
import { parseServerEntry, type ServerEntry } from '@/lib/servers';
import { toCheckServer } from './check-server';
import type { ConnectionTestResult } from './test-result';

function entryOf(fields: Readonly<Record<string, unknown>>): ServerEntry {
  const parsed = parseServerEntry({ key: 'raw', command: 'node', ...fields });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

const MANIFEST: CapabilityManifest = {
  server: 'raw',
  version: '1.0.0',
  external: false,
  tools: [
    { name: 'unpack', optionalDependency: 'upx', available: false, reason: 'upx is not installed', timeoutS: 30, remediation: 'install upx', without: null, longRunning: false, verifyWith: ['echo'] },
    { name: 'not_listed', optionalDependency: null, available: false, reason: 'gone', timeoutS: null, remediation: null, without: null, longRunning: false, verifyWith: [] },
  ],
};

const SNAPSHOT: ServerSnapshot = {
  readAt: 1,
  toolList: mendToolList([
    { name: 'capabilities', inputSchema: { type: 'object' } },
    { name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'unpack', inputSchema: { type: 'object' } },
    { name: 'broken' },
  ]),
  manifest: MANIFEST,
  manifestProblem: null,
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

const GOOD: ConnectionTestResult = {
  startedAt: 1000,
  finishedAt: 1200,
  ok: true,
  latencyMs: 12,
  stages: [
    { stage: 'config', outcome: 'passed', ms: 1, detail: 'fine', evidence: {} },
    { stage: 'list', outcome: 'warned', ms: 9, detail: 'odd', evidence: {} },
  ],
  failure: null,
  warnings: ['odd'],
  facts: {
    transport: 'stdio', era: 'legacy', protocolVersion: '2025-06-18', serverInfo: { name: 'raw', version: '1.0.0' },
    instructions: 'Ask.', processId: 1, connectedAt: 1100,
  },
  snapshot: SNAPSHOT,
  strayLines: { count: 2, first: 'hello' },
};

const exposedNameOf = (tool: string) => `raw__${tool}`;

describe('toCheckServer', () => {
  it('has exactly the members that the command line promises', () => {
    const server = toCheckServer({ entry: entryOf({}), result: GOOD, exposedNameOf });
    expect(Object.keys(server).sort()).toEqual(
      [
        'key', 'enabled', 'ok', 'state', 'transport', 'era', 'protocol_version', 'server_info', 'instructions', 'tool_count', 'tools',
        'manifest', 'stray_lines', 'warnings', 'stages', 'error', 'latency_ms',
      ].sort(),
    );
    for (const tool of server.tools) {
      expect(Object.keys(tool).sort()).toEqual(
        ['name', 'exposed_name', 'exposed', 'plumbing', 'available', 'reason', 'remediation', 'without', 'annotations', 'set_aside'].sort(),
      );
    }
    expect(server).toMatchObject({
      key: 'raw', enabled: true, ok: true, state: 'connected', era: 'legacy', protocol_version: '2025-06-18', latency_ms: 12,
      stray_lines: { count: 2, first: 'hello' }, warnings: ['odd'], error: null,
      stages: [{ stage: 'config', ok: true, ms: 1, detail: 'fine' }, { stage: 'list', ok: true, ms: 9, detail: 'odd' }],
    });
  });

  it('counts the well-formed tools, plumbing included, and shows set-aside and plumbing ones without an exposed name', () => {
    const server = toCheckServer({ entry: entryOf({ tools: ['echo'] }), result: GOOD, exposedNameOf });
    expect(server.tool_count).toBe(3);
    const named = Object.fromEntries(server.tools.map((tool) => [tool.name, tool]));
    expect(named['capabilities']).toMatchObject({ plumbing: true, exposed_name: null });
    expect(named['echo']).toMatchObject({ exposed: true, exposed_name: 'raw__echo', annotations: { readOnlyHint: true } });
    expect(named['unpack']).toMatchObject({ exposed: false, available: false, reason: 'upx is not installed', remediation: 'install upx' });
    expect(named['broken']?.set_aside).toEqual(expect.any(String));
  });

  it('writes the manifest in the form of the wire, with what the server does not list', () => {
    const { manifest, tools } = toCheckServer({ entry: entryOf({}), result: GOOD, exposedNameOf });
    expect(manifest).toMatchObject({
      server: 'raw',
      tools: [{ name: 'unpack', optional_dependency: 'upx', timeout_s: 30, long_running: false, verify_with: ['echo'] }, { name: 'not_listed' }],
    });
    expect(tools.map(({ name }) => name)).not.toContain('not_listed');
  });

  it('says null for a disabled server that was not tried', () => {
    const server = toCheckServer({ entry: entryOf({ enabled: false }), result: null, exposedNameOf });
    expect(server).toMatchObject({ ok: null, state: 'disabled', tools: [], manifest: null, error: null, stages: [], latency_ms: null });
  });

  it('gives a failure its stage, remedy and evidence in the spelling of the command line', () => {
    const result: ConnectionTestResult = {
      ...GOOD,
      ok: false,
      snapshot: null,
      facts: null,
      failure: {
        stage: 'auth', code: 'unauthorized', message: 'It asks for a sign-in.', remediation: 'Give a token.',
        evidence: { httpStatus: 401, contentType: 'text/plain', body: 'no', certificate: { subject: 'a', issuer: 'b', validTo: 'c' } },
      },
    };
    const server = toCheckServer({ entry: entryOf({}), result, exposedNameOf });
    expect(server.state).toBe('sign_in_needed');
    expect(server.error).toEqual({
      stage: 'auth', code: 'unauthorized', message: 'It asks for a sign-in.', remediation: 'Give a token.',
      evidence: { http_status: 401, content_type: 'text/plain', body: 'no', certificate: { subject: 'a', issuer: 'b', valid_to: 'c' } },
    });
  });

  it('says resting where the guard rests the server, although its test passed', () => {
    expect(toCheckServer({ entry: entryOf({}), result: GOOD, exposedNameOf, rests: true })).toMatchObject({ ok: true, state: 'resting' });
  });
});
