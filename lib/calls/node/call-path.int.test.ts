import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal, Role } from '@/lib/auth';
import { callIds, err, ok, type JsonObject } from '@/lib/core';
import { EMPTY_LEDGER_FILTER } from '@/lib/ledger';
import type { ListedTool, ManifestTool, ServerSnapshot } from '@/lib/manifests';
import type { ConnectFailure } from '@/lib/pool';
import { KnownSecrets, type Acquired, type Connection, type WireAnswer, type WireCall } from '@/lib/pool/node';
import { toServerKey, type ServerEntry, type ServerRecord } from '@/lib/servers';
import { openTestLedger, type TestLedger } from '../../ledger/node/testing';
import type { CallRequest } from '..';
import { CallPath } from './call-path';
import { GuardBook } from './guard-book';
import { openTestFiles } from './testing';

type Serve = (call: WireCall, signal: AbortSignal) => Promise<WireAnswer>;

const key = toServerKey('fs');
const failure = (code: ConnectFailure['code']): ConnectFailure => ({ stage: 'connect', code, message: `It was ${code}.`, remediation: 'Start it.', evidence: {} });
const answer = (text: string): WireAnswer => ({ kind: 'result', result: { content: [{ type: 'text', text }] } });
const listed = (name: string, annotations = {}): ListedTool => ({ name, title: null, description: null, inputSchema: { type: 'object' }, outputSchema: null, annotations, raw: {} });
const manifestTool = (name: string, facts: Partial<ManifestTool>): ManifestTool => ({
  name, optionalDependency: null, available: true, reason: null, timeoutS: null, remediation: null, without: null, longRunning: false, verifyWith: [], ...facts,
});

const entry: ServerEntry = {
  key, label: 'fs', enabled: true, connect: 'start', era: 'auto', prefix: true, aliases: {}, tools: ['read', 'unpack', 'partial', 'slow'], limits: {}, required: false,
  external: false, trusted: true, instructions: 'include', verify_with: {}, share: false, reads_errors: true, tags: [],
  transport: 'stdio', command: 'x', args: [], env: {}, env_allow: [],
};

let ledger: TestLedger;
let record: ServerRecord | undefined;
let serve: Serve;
let acquire: () => Acquired;
let now: number | null;
let released: number;
let sentCalls: WireCall[];
let calls: CallPath;
let problems: unknown[];

const snapshot: ServerSnapshot = {
  readAt: 0, manifestProblem: null, resources: [], resourceTemplates: [], prompts: [],
  toolList: { tools: ['read', 'unpack', 'partial', 'slow', 'hidden', 'capabilities'].map((name) => listed(name, name === 'read' ? { readOnlyHint: true } : {})), setAside: [{ name: 'odd', reason: 'its schema is no object', raw: {} }], warnings: [] },
  manifest: {
    server: null, version: null, external: false,
    tools: [
      manifestTool('unpack', { available: false, reason: 'unrar is missing', remediation: 'apt install unrar' }),
      manifestTool('partial', { available: false, without: 'sizes only' }),
      manifestTool('slow', { longRunning: true }),
    ],
  },
};

const connection = (): Connection => ({
  facts: { transport: 'stdio', era: 'modern', protocolVersion: '2026-07-28', serverInfo: null, instructions: null, processId: 1, connectedAt: 0 },
  fingerprint: 'print', latencyMs: 1, lists: { toolList: snapshot.toolList, resources: [], resourceTemplates: [], prompts: [], warnings: [] },
  strayLines: { count: 0, first: null }, lines: [],
  callTool: (call, signal) => {
    sentCalls.push(call);
    return serve(call, signal);
  },
  readResource: () => Promise.reject(new Error('not asked for')),
  getPrompt: () => Promise.reject(new Error('not asked for')),
  ping: () => Promise.reject(new Error('not asked for')),
  refreshLists: () => Promise.reject(new Error('not asked for')),
  secrets: new KnownSecrets([]),
  onListsChanged: () => () => undefined,
  onClosed: () => () => undefined,
  onGone: () => undefined,
  close: async () => undefined,
});

beforeEach(() => {
  ledger = openTestLedger({ secrets: ['hunter2-secret'] });
  record = { entry, revision: 1, savedAt: 0, reviewedAt: 1, source: 'stored', bundled: false };
  serve = async (call) => {
    call.onSent();
    call.onFirstByte();
    return answer('fine');
  };
  released = 0;
  now = null;
  sentCalls = [];
  problems = [];
  acquire = () => ok({ connection: connection(), snapshot, release: () => (released += 1) });
  const clock = { now: () => now ?? Date.now() };
  calls = new CallPath({
    writer: ledger.writer, reader: ledger.reader, servers: { find: () => record }, bus: ledger.bus, clock,
    pool: { acquire: async () => acquire(), snapshot: () => snapshot, peek: () => null }, files: openTestFiles(ledger),
    guards: new GuardBook({ database: ledger.database, clock }),
    fingerprintOf: () => 'print', keysOf: () => [key], exposedNameOf: (server, tool) => `${server}__${tool}`,
    consoleRun: () => ledger.runs.sessionRun('console', { kind: 'console', name: 'console' }),
    log: { error: (data) => problems.push(data) },
  });
});
afterEach(async () => {
  await calls.close();
  ledger.close();
  expect(problems).toEqual([]);
});

const principal = (role: Role = 'analyst', name = 'ana@example.org'): Principal => ({ actor: { kind: 'person', name }, role, sessionRunId: ledger.runId });
const request = (more: Partial<CallRequest> = {}): CallRequest => ({
  callId: callIds.create(), serverKey: key, tool: 'read', arguments: {}, runId: ledger.runId, totalMs: null, tryAnyway: false, requiresExposure: true, ...more,
});
const never = new AbortController().signal;
const call = (more: Partial<CallRequest> = {}, who = principal()) => calls.call(request(more), who, never);
/** Sends and then waits for the signal, as a connection does with a silent server. */
const silent: Serve = (wire, signal) => {
  wire.onSent();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'aborted', sent: true })));
};
const limited = (limits: ServerEntry['limits']) => {
  record = { ...record!, entry: { ...entry, limits } };
};

describe('a call', () => {
  it('is on record before it is sent and finished after, with its arguments as given', async () => {
    let whileSent: string | undefined;
    serve = async (wire) => {
      wire.onSent();
      whileSent = ledger.reader.list(EMPTY_LEDGER_FILTER, { before: null, limit: 1 }).rows[0]?.outcome;
      wire.onProgress({ at: Date.now(), kind: 'progress', text: 'half', progress: 1, total: 2 });
      return answer('fine');
    };
    const given: JsonObject = { z: null, a: ['', 1e21, '\u202e'], n: { deep: false } };
    const result = await call({ arguments: given });
    expect(whileSent).toBe('sent');
    expect(sentCalls[0]?.arguments).toBe(given);
    expect(result).toMatchObject({ outcome: 'ok', error: null, attempts: 1, result: { content: [{ text: 'fine' }] } });
    const kept = ledger.reader.find(result.sequence);
    expect(kept).toMatchObject({ outcome: 'ok', exposedName: 'fs__read', era: 'modern', attempts: 1, progress: [{ text: 'half' }], plumbing: false });
    expect(JSON.parse(await ledger.reader.payload(kept!.arguments!))).toEqual(given);
    expect(kept?.policy).toContain('by hand');
    expect(released).toBe(1);
  });

  it('is one call however often its id is asked for', async () => {
    const asked = request();
    const started = calls.start(asked, principal());
    expect(calls.start(asked, principal())).toEqual(started);
    const [first, second] = await Promise.all([calls.call(asked, principal(), never), calls.call(asked, principal(), never)]);
    expect(second).toEqual(first);
    expect(await calls.call(asked, principal(), never)).toMatchObject({ sequence: first.sequence, outcome: 'ok', result: first.result });
    expect(sentCalls).toHaveLength(1);
  });

  it.each<[string, Partial<CallRequest>, Role, string, string]>([
    ['a viewer', {}, 'viewer', 'denied', 'may not call'],
    ['a tool that is not exposed', { tool: 'hidden' }, 'operator', 'not_exposed', 'not exposed'],
    ['an analyst off the allow-list', { tool: 'hidden', requiresExposure: false }, 'analyst', 'not_exposed', 'not exposed'],
    ['a plumbing tool', { tool: 'capabilities' }, 'admin', 'not_exposed', 'for the console itself'],
    ['a tool that does not exist', { tool: 'nothing', requiresExposure: false }, 'operator', 'no_such_tool', 'lists no tool'],
    ['a tool that was set aside', { tool: 'odd', requiresExposure: false }, 'operator', 'no_such_tool', 'its schema is no object'],
    ['an unavailable tool', { tool: 'unpack' }, 'analyst', 'unavailable_here', 'unrar is missing'],
    ['"try anyway" of an analyst', { tool: 'unpack', tryAnyway: true }, 'analyst', 'unavailable_here', 'unrar is missing'],
  ])('is refused, on record and unsent: %s', async (_what, more, role, code, words) => {
    const result = await call(more, principal(role));
    expect(result).toMatchObject({ outcome: 'not_sent', sentAt: null, attempts: 0, error: { code } });
    expect(result.error?.message).toContain(words);
    expect(ledger.reader.find(result.sequence)).toMatchObject({ outcome: 'not_sent', error: { code } });
    expect(sentCalls).toHaveLength(0);
  });

  it('goes through where an operator may, and where the tool still answers something', async () => {
    expect((await call({ tool: 'hidden', requiresExposure: false }, principal('operator'))).outcome).toBe('ok');
    expect((await call({ tool: 'unpack', tryAnyway: true }, principal('operator'))).outcome).toBe('ok');
    expect((await call({ tool: 'partial' })).outcome).toBe('ok');
  });

  it('is not sent to a server that is gone, disabled or cannot be reached', async () => {
    acquire = () => err(failure('refused'));
    expect(await call()).toMatchObject({ outcome: 'not_sent', error: { code: 'not_connected', remediation: 'Start it.', details: { code: 'refused' } } });
    record = { ...record!, entry: { ...entry, enabled: false } };
    expect((await call()).error?.message).toContain('disabled');
    record = undefined;
    expect((await call()).error?.message).toContain('no server');
  });

  it('keeps three kinds of error apart', async () => {
    serve = async () => ({ kind: 'result', result: { isError: true, content: [{ type: 'text', text: 'no' }] } });
    expect(await call()).toMatchObject({ outcome: 'tool_error', error: { code: 'tool_failed', message: 'no' }, result: { isError: true } });
    serve = async () => ({ kind: 'rpc_error', code: -32602, message: 'bad', data: undefined });
    expect(await call()).toMatchObject({ outcome: 'protocol_error', error: { rpcCode: -32602 } });
    serve = async () => ({ kind: 'too_large', sizeBytes: 2048, limitBytes: 1024 });
    expect(await call()).toMatchObject({ outcome: 'protocol_error', error: { code: 'result_too_large', message: expect.stringContaining('2.0 KiB') as string } });
  });

  it('hides a vault value that a server gives back', async () => {
    serve = async () => answer('it is hunter2-secret');
    expect(JSON.stringify(await call())).not.toContain('hunter2');
  });

  it('ends on record when the connection breaks its promise', async () => {
    serve = (wire) => {
      wire.onSent();
      return Promise.reject(new Error('broken'));
    };
    expect(await call()).toMatchObject({ outcome: 'unknown', error: { code: 'outcome_unknown' } });
    expect(problems).toHaveLength(1);
    problems = [];
  });
});

describe('the clocks', () => {
  it('end a silent call by idle, naming the clock and its limit', async () => {
    limited({ idle_s: 0.05 });
    serve = silent;
    const result = await call();
    expect(result).toMatchObject({ outcome: 'timeout', error: { code: 'timeout' } });
    expect(result.error?.message).toContain("idle limit of 50 ms (set in the server's limits)");
    expect(result.sentAt).not.toBeNull();
  });

  it('extend idle by progress but never total', async () => {
    limited({ idle_s: 1, total_s: 2.5 });
    serve = async (wire, signal) => {
      wire.onSent();
      while (!signal.aborted) {
        wire.onProgress({ at: Date.now(), kind: 'progress', text: 'on', progress: 1, total: null });
        await sleep(20);
      }
      return { kind: 'aborted', sent: true };
    };
    const result = await call();
    expect(result).toMatchObject({ outcome: 'timeout' });
    expect(result.error?.message).toContain('total limit of 2.5 s');
  });

  it('have no idle for a long-running tool, and take the total that was asked for', async () => {
    limited({ idle_s: 0.05 });
    serve = silent;
    const result = await call({ tool: 'slow', totalMs: 300 });
    expect(result.error?.message).toContain('total limit of 300 ms (set for this call)');
  });

  it('leave a late answer on record as late', async () => {
    limited({ idle_s: 0.05 });
    serve = silent;
    const { sequence } = await call();
    sentCalls[0]?.onLateAnswer({ content: [{ type: 'text', text: 'late' }] });
    await expect.poll(() => ledger.reader.find(sequence)?.lateAnswerAt).not.toBeNull();
    expect(ledger.reader.find(sequence)).toMatchObject({ outcome: 'timeout', result: { kind: 'inline', json: expect.stringContaining('late') as string } });
  });
});

describe('a stop', () => {
  it('ends a call in flight, by its maker or by an operator, and by no other', async () => {
    serve = silent;
    for (const who of [principal(), principal('operator', 'op@example.org')]) {
      const asked = request();
      const ended = calls.call(asked, principal(), never);
      await expect.poll(() => sentCalls.length).toBeGreaterThan(0);
      expect(() => calls.cancel(asked.callId, principal('analyst', 'eve@example.org'))).toThrow('operator');
      expect(calls.cancel(asked.callId, who)).toBe(true);
      expect(await ended).toMatchObject({ outcome: 'cancelled', error: { message: expect.stringContaining(`requested by ${who.actor.name}`) as string } });
      expect(calls.cancel(asked.callId, who)).toBe(false);
      sentCalls = [];
    }
  });

  it('ends a queued call unsent, and lets the next one go', async () => {
    limited({ max_concurrent_calls: 1 });
    let answerFirst = (): void => undefined;
    serve = (wire) => {
      wire.onSent();
      return new Promise((resolve) => (answerFirst = () => resolve(answer('fine'))));
    };
    const first = call();
    await expect.poll(() => sentCalls.length).toBe(1);
    const queued = request();
    const [second, third] = [calls.call(queued, principal(), never), call()];
    await expect.poll(() => calls.loadOf(key)).toEqual({ inFlight: 1, queued: 2 });
    expect(calls.inFlight()).toHaveLength(3);
    calls.cancel(queued.callId, principal());
    expect(await second).toMatchObject({ outcome: 'cancelled', sentAt: null });
    answerFirst();
    expect((await first).outcome).toBe('ok');
    await expect.poll(() => sentCalls.length).toBe(2);
    answerFirst();
    const ended = await third;
    expect(ended.outcome).toBe('ok');
    expect(ledger.reader.find(ended.sequence)?.queuedAt).not.toBeNull();
    expect(calls.loadOf(key)).toEqual({ inFlight: 0, queued: 0 });
  });

  it('comes to every call when the process ends, and then none begins', async () => {
    serve = silent;
    const ended = call();
    await expect.poll(() => sentCalls.length).toBe(1);
    await calls.close();
    expect(await ended).toMatchObject({ outcome: 'interrupted' });
    expect(() => calls.start(request(), principal())).toThrow('ending');
  });
});

describe('a repeat', () => {
  it('follows once what provably was not carried out', async () => {
    serve = async (wire) => {
      wire.onSent();
      return sentCalls.length === 1 ? { kind: 'not_sent', failure: failure('connection_reset') } : answer('fine');
    };
    expect(await call({ tool: 'partial' })).toMatchObject({ outcome: 'ok', attempts: 2 });
    expect(released).toBe(2);
    serve = async () => ({ kind: 'not_sent', failure: failure('refused') });
    expect(await call()).toMatchObject({ outcome: 'not_sent', attempts: 0 });
    expect(sentCalls).toHaveLength(4);
  });

  it('follows a lost connection only for a tool that a trusted server calls read-only', async () => {
    const lose: Serve = async (wire) => {
      wire.onSent();
      return { kind: 'lost', failure: failure('exited') };
    };
    serve = lose;
    expect(await call({ tool: 'partial' })).toMatchObject({ outcome: 'unknown', attempts: 1, error: { code: 'connection_lost' } });
    expect(await call({ tool: 'read' })).toMatchObject({ outcome: 'unknown', attempts: 2 });
    record = { ...record!, reviewedAt: null };
    now = Date.now() + 3_600_000;
    expect(await call({ tool: 'read' })).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });
});

describe('the rest', () => {
  it('follows unanswered calls, is told in seconds, and ends by one trial', async () => {
    now = 1_000_000;
    acquire = () => err(failure('refused'));
    for (let n = 0; n < 3; n += 1) expect((await call()).error?.code).toBe('not_connected');
    now += 10_000;
    const resting = await call();
    expect(resting).toMatchObject({ outcome: 'not_sent', error: { code: 'server_resting', details: { seconds_left: 50 } } });
    now += 50_000;
    acquire = () => ok({ connection: connection(), snapshot, release: () => undefined });
    let answerTrial = (): void => undefined;
    serve = () => new Promise((resolve) => (answerTrial = () => resolve(answer('back'))));
    const trial = call();
    await expect.poll(() => sentCalls.length).toBe(1);
    expect(await call()).toMatchObject({ error: { code: 'server_resting' } });
    answerTrial();
    expect((await trial).outcome).toBe('ok');
    serve = async () => answer('fine');
    expect((await call()).outcome).toBe('ok');
  });
});

describe('the manifest', () => {
  it("is read as the console's own call, out of the default view", async () => {
    serve = async (wire) => {
      wire.onSent();
      return answer(JSON.stringify({ tools: [{ name: 'read', available: false, reason: 'why' }] }));
    };
    const reading = await calls.readManifest(connection(), key, never);
    expect(reading).toMatchObject({ problem: null, manifest: { tools: [{ name: 'read', available: false, reason: 'why' }] } });
    expect(ledger.reader.list(EMPTY_LEDGER_FILTER, { before: null, limit: 5 }).rows).toEqual([]);
    expect(ledger.reader.list({ ...EMPTY_LEDGER_FILTER, plumbing: true }, { before: null, limit: 5 }).rows).toMatchObject([
      { tool: 'capabilities', actorKind: 'console', plumbing: true, outcome: 'ok' },
    ]);
  });

  it('of an unsaved form leaves no entry; what cannot be read is said and fails nothing', async () => {
    serve = async () => answer('no json');
    expect(await calls.readManifest(connection(), null, never)).toMatchObject({ manifest: null, problem: expect.stringContaining('no JSON') as string });
    expect(ledger.reader.newestCursor()).toBe(0);
    serve = async () => ({ kind: 'lost', failure: failure('exited') });
    expect(await calls.readManifest(connection(), key, never)).toMatchObject({ manifest: null, problem: expect.stringContaining('exited') as string });
  });
});
