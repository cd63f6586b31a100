import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import type { Database } from '@/db/client';
import { AuditLog } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import { err, ok, Redactor, runIds, systemClock, testIds } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import { LiveBus } from '@/lib/live/node';
import { mendToolList, parseManifest } from '@/lib/manifests';
import { SnapshotStore } from '@/lib/manifests/node';
import { explainFailure } from '@/lib/pool';
import { KnownSecrets, StoredChildRecords, StoredEraVerdicts, TrafficBook, type Connection, type OpenConnection } from '@/lib/pool/node';
import { parseServerEntry, type ResolvedServer, type ServerEntry } from '@/lib/servers';
import type { TestEvent } from '../test-result';
import { ConnectionTester, type ConnectionTesterOptions, type TestOptions } from './connection-tester';

const PRINCIPAL: Principal = { actor: { kind: 'person', name: 'ann@example.org' }, role: 'operator', sessionRunId: runIds.create() };
const STORED: TestOptions = { source: 'stored', principal: PRINCIPAL };
const NEVER = new AbortController().signal;

function entryOf(fields: Readonly<Record<string, unknown>> = {}): ServerEntry {
  const parsed = parseServerEntry({ key: 'raw', command: 'raw-server', ...fields });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

const resolvedOf = (entry: ServerEntry): ResolvedServer => ({
  key: entry.key,
  fingerprint: `fingerprint of ${entry.transport === 'stdio' ? entry.command : entry.url}`,
  transport: { kind: 'stdio', command: 'raw-server', args: ['--token', 'hunter2-hunter2'], env: {}, cwd: null },
  era: 'auto',
  limits: {},
  secretValues: ['hunter2-hunter2'],
});

/** A connection that offers these tools, and notes that it was closed. */
function connectionOf(toolNames: readonly string[], closed: () => void): Connection {
  const toolList = mendToolList(toolNames.map((name) => ({ name, inputSchema: { type: 'object' } })));
  const noAnswer = () => Promise.resolve({ kind: 'aborted', sent: false } as const);
  return {
    facts: { transport: 'stdio', era: 'legacy', protocolVersion: '2025-11-25', serverInfo: { name: 'raw', version: '1' }, instructions: null, processId: 1, connectedAt: 1 },
    fingerprint: 'f',
    latencyMs: 42,
    lists: { toolList, resources: [], resourceTemplates: [], prompts: [], warnings: [] },
    strayLines: { count: 1, first: 'starting with hunter2-hunter2' },
    lines: [],
    callTool: noAnswer,
    readResource: noAnswer,
    getPrompt: noAnswer,
    ping: noAnswer,
    refreshLists: () => Promise.reject(new Error('not asked for')),
    secrets: new KnownSecrets([]),
    onListsChanged: () => () => undefined,
    onClosed: () => () => undefined,
    onGone: () => undefined,
    close: () => {
      closed();
      return Promise.resolve();
    },
  };
}

describe('ConnectionTester', () => {
  let database: Database;
  let audit: AuditLog;
  let snapshots: SnapshotStore;
  let messages: LiveMessage[];
  let closedCount: number;

  beforeEach(() => {
    database = openTestDatabase();
    audit = new AuditLog({ database, clock: systemClock });
    snapshots = new SnapshotStore(database);
    messages = [];
    closedCount = 0;
  });

  afterEach(() => database.close());

  function testerWith(open: OpenConnection, overrides: Partial<ConnectionTesterOptions> = {}): ConnectionTester {
    const bus = new LiveBus();
    bus.subscribe((message) => messages.push(message));
    return new ConnectionTester({
      database,
      bus,
      audit,
      clock: systemClock,
      resolve: (entry) => ok(resolvedOf(entry)),
      jobDirectory: () => '/jobs/console',
      eraVerdicts: new StoredEraVerdicts(database),
      children: new StoredChildRecords(database),
      snapshots,
      readManifest: () => Promise.resolve({ manifest: parseManifest({ tools: [] }), problem: null }),
      redactor: new Redactor(),
      traffic: new TrafficBook({ clock: systemClock, publish: (message) => messages.push(message), redactor: new Redactor() }),
      open,
      ...overrides,
    });
  }

  const opens = (...tools: string[]): OpenConnection => (options) => {
    options.onStage?.({ type: 'began', stage: 'spawn', at: 1 });
    options.onStarted?.({ serverKey: options.resolved.key, command: 'raw-server', args: ['--token', 'hunter2-hunter2'] });
    options.onStage?.({ type: 'ended', stage: 'spawn', at: 2, ms: 1, outcome: 'passed', detail: 'started', evidence: {} });
    options.onStage?.({ type: 'began', stage: 'list', at: 2 });
    options.onStage?.({ type: 'ended', stage: 'list', at: 3, ms: 1, outcome: 'passed', detail: '', evidence: {} });
    return Promise.resolve(ok(connectionOf(tools, () => (closedCount += 1))));
  };

  /** Waits for the signal, as a server that never answers. */
  const hangs: OpenConnection = (options, signal) => {
    options.onStage?.({ type: 'began', stage: 'negotiate', at: 1 });
    return new Promise((resolve) => {
      const end = () => resolve(err(explainFailure('cancelled', { stage: 'negotiate', server: options.resolved.key })));
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    });
  };

  it('keeps a test of a stored server, its snapshot and its audit, and tells the page', async () => {
    const tester = testerWith(opens('capabilities', 'echo'));
    const entry = entryOf();
    const result = await tester.test(entry, STORED, () => undefined, NEVER);

    expect(result).toMatchObject({ ok: true, latencyMs: 42, failure: null });
    expect(result.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'config passed', 'spawn passed', 'list warned', 'capabilities passed',
    ]);
    expect(snapshots.find(entry.key)?.snapshot.toolList.tools.map(({ name }) => name)).toEqual(['capabilities', 'echo']);
    expect(tester.lastFor(entry)?.result).toMatchObject({ ok: true, latencyMs: 42 });
    expect(messages).toContainEqual({ type: 'server.changed', key: 'raw' });
    expect(audit.list({ before: null, limit: 10 }).records.map(({ type, actorName }) => `${type} ${actorName}`)).toEqual([
      'server.tested ann@example.org', 'command.started ann@example.org',
    ]);
    expect(closedCount).toBe(1);
  });

  it('lets no secret out: not in the result, the events or the audit', async () => {
    const tester = testerWith(opens('echo'));
    const result = await tester.test(entryOf(), STORED, () => undefined, NEVER);
    expect(result.strayLines.first).toBe('starting with [redacted]');
    expect(JSON.stringify([result, messages, audit.list({ before: null, limit: 10 })])).not.toContain('hunter2');
  });

  it('keeps nothing of a test of a form but its audit, and reads its manifest without a key', async () => {
    const keys: unknown[] = [];
    const tester = testerWith(opens('capabilities'), {
      readManifest: (_connection, key) => {
        keys.push(key);
        return Promise.resolve({ manifest: null, problem: 'it answered no JSON' });
      },
    });
    const entry = entryOf();
    const result = await tester.test(entry, { source: 'form', principal: PRINCIPAL }, () => undefined, NEVER);
    expect(keys).toEqual([null]);
    expect(result.ok).toBe(true);
    expect(result.warnings).toContainEqual(expect.stringContaining('it answered no JSON'));
    expect(tester.lastFor(entry)).toBeNull();
    expect(snapshots.find(entry.key)).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'server.changed')).toEqual([]);
    expect(audit.list({ before: null, limit: 1 }).records[0]?.details).toMatchObject({ ok: true, of: 'form' });
  });

  it('fails in config with every field that does not resolve, and opens nothing', async () => {
    const never: OpenConnection = () => Promise.reject(new Error('must not be opened'));
    const tester = testerWith(never, {
      resolve: () => err([{ field: 'env.API_KEY', message: 'env.API_KEY needs the variable API_KEY, which is not set.' }]),
    });
    const entry = entryOf();
    const result = await tester.test(entry, STORED, () => undefined, NEVER);
    expect(result.failure).toMatchObject({ stage: 'config', code: 'variable_unresolved' });
    expect(result.failure?.message).toContain('API_KEY');
    expect(result.stages).toHaveLength(1);
    expect(tester.lastFor(entry)?.result.ok).toBe(false);
  });

  it('keeps the snapshot that was read before when a later test fails', async () => {
    const entry = entryOf();
    await testerWith(opens('echo')).test(entry, STORED, () => undefined, NEVER);
    const fails: OpenConnection = () => Promise.resolve(err(explainFailure('refused', { stage: 'connect', server: 'raw' })));
    const result = await testerWith(fails).test(entry, STORED, () => undefined, NEVER);
    expect(result.stages.at(-1)).toMatchObject({ stage: 'connect', outcome: 'failed' });
    expect(snapshots.find(entry.key)?.snapshot.toolList.tools).toHaveLength(1);
  });

  it('drops the verdict once the connection was edited, and keeps it where only the label was', async () => {
    const tester = testerWith(opens('echo'));
    await tester.test(entryOf(), STORED, () => undefined, NEVER);
    expect(tester.lastFor(entryOf({ label: 'Another name' }))).not.toBeNull();
    expect(tester.lastFor(entryOf({ command: 'another-server' }))).toBeNull();
  });

  it('takes a form’s test over for the server that it was saved as, passed or failed, once, and never that of another connection', async () => {
    const tester = testerWith((options, signal) => (options.resolved.fingerprint.endsWith('broken') ? Promise.resolve(err(explainFailure('refused', { stage: 'connect', server: 'raw' }))) : opens('echo')(options, signal)));
    for (const [command, passed] of [['broken', false], ['raw-server', true]] as const) {
      const [form, saved] = [entryOf({ key: 'unsaved', command }), entryOf({ command })];
      const testId = tester.start(form, { source: 'form', principal: PRINCIPAL });
      await waitUntil(() => tester.find(testId)?.result);
      tester.adopt(testId, entryOf({ command: 'another' }));
      expect(tester.lastFor(saved)).toBeNull();
      tester.adopt(testId, saved);
      // As a save that is repeated does.
      tester.adopt(testId, saved);
      expect(tester.lastFor(saved)).toMatchObject({ id: testId, result: { ok: passed } });
    }
    expect(snapshots.find(entryOf().key)?.snapshot.toolList.tools.map(({ name }) => name)).toEqual(['echo']);
  });

  it('keeps the last fifty tests of a server and leaves those of others alone', async () => {
    const tester = testerWith(opens('echo'));
    await tester.test(entryOf({ key: 'other' }), STORED, () => undefined, NEVER);
    for (let count = 0; count < 53; count += 1) await tester.test(entryOf(), STORED, () => undefined, NEVER);
    const counted = database.sqlite.prepare('select server_key as key, count(*) as count from connection_tests group by 1 order by 1').all();
    expect(counted).toEqual([{ key: 'other', count: 1 }, { key: 'raw', count: 50 }]);
  });

  it('returns an id at once and tells every event on the bus and to those who come later', async () => {
    const tester = testerWith(hangs);
    const testId = tester.start(entryOf(), STORED);
    expect(tester.find(testId)).toMatchObject({ key: 'raw', result: null });
    await waitUntil(() => tester.find(testId)?.events.some((event) => event.type === 'test.stage_began' && event.stage === 'negotiate'));

    expect(tester.cancel(testId)).toBe(true);
    await waitUntil(() => tester.find(testId)?.result);
    const followed = tester.find(testId);
    expect(followed?.result?.failure?.code).toBe('cancelled');
    const published = messages.flatMap((message): TestEvent[] => (message.type === 'test.event' && message.testId === testId ? [message.event] : []));
    expect(published).toEqual(followed?.events);
    expect(published.at(-1)?.type).toBe('test.ended');
    expect(tester.cancel(testId)).toBe(false);
  });

  it('finds a kept test after a restart, and nothing under an id that was never given', async () => {
    const tester = testerWith(opens('echo'));
    const testId = tester.start(entryOf(), STORED);
    await waitUntil(() => tester.find(testId)?.result);
    const restarted = testerWith(opens('echo'));
    expect(restarted.find(testId)).toMatchObject({ key: 'raw', result: { ok: true } });
    expect(restarted.find(testIds.create())).toBeUndefined();
  });

  it('ends by the signal of whoever waits for it', async () => {
    const controller = new AbortController();
    const ending = testerWith(hangs).test(entryOf(), STORED, () => controller.abort(), controller.signal);
    expect((await ending).failure?.code).toBe('cancelled');
  });

  it('cancels what runs when it is closed, and waits for it', async () => {
    const tester = testerWith(hangs);
    const ids = [tester.start(entryOf(), STORED), tester.start(entryOf({ key: 'other' }), STORED)];
    await tester.close();
    for (const id of ids) expect(tester.find(id)?.result?.failure?.code).toBe('cancelled');
  });

  it('closes the connection and tells an end when reading the manifest breaks', async () => {
    const tester = testerWith(opens('capabilities'), { readManifest: () => Promise.reject(new Error('the pipe broke')) });
    const result = await tester.test(entryOf(), STORED, () => undefined, NEVER);
    expect(result.ok).toBe(true);
    expect(result.snapshot?.manifestProblem).toContain('the pipe broke');
    expect(closedCount).toBe(1);
  });

  it('turns a fault of the console into a failure of the test', async () => {
    const tester = testerWith(() => Promise.reject(new Error('a bug')));
    const result = await tester.test(entryOf(), STORED, () => undefined, NEVER);
    expect(result.failure).toMatchObject({ code: 'internal', evidence: { detail: 'a bug' } });
  });

  it('still answers its asker when the data file cannot be written', async () => {
    const tester = testerWith(opens('echo'), { snapshots: { find: () => undefined, save: () => { throw new Error('disk full'); } } });
    const result = await tester.test(entryOf(), STORED, () => undefined, NEVER);
    expect(result.ok).toBe(true);
    expect(result.warnings).toContainEqual(expect.stringContaining('disk full'));
    expect(audit.list({ before: null, limit: 10 }).records.map(({ type }) => type)).toEqual(['command.started']);
  });

  it('gives a package runner longer than another command, and the entry its own clock', async () => {
    const clocks: (number | undefined)[] = [];
    const notes: OpenConnection = (options) => {
      clocks.push(options.connectMs);
      return Promise.resolve(err(explainFailure('never_answers', { stage: 'negotiate', server: 'raw' })));
    };
    const tester = testerWith(notes);
    await tester.test(entryOf(), STORED, () => undefined, NEVER);
    await tester.test(entryOf({ command: 'npx', args: ['-y', 'some-server'] }), STORED, () => undefined, NEVER);
    await tester.test(entryOf({ limits: { connect_s: 7 } }), STORED, () => undefined, NEVER);
    await tester.test(entryOf(), { ...STORED, clockMs: 3000 }, () => undefined, NEVER);
    expect(clocks.map((ms) => Math.round((ms ?? 0) / 1000))).toEqual([20, 120, 7, 3]);
  });

  it('records what passed in the test of a saved server as traffic of its own, and nothing of a form', async () => {
    const traffic = new TrafficBook({ clock: systemClock, publish: (message) => messages.push(message), redactor: new Redactor() });
    const tester = testerWith(
      (options, signal) => {
        options.onWire?.('sent', '{"jsonrpc":"2.0","id":0,"method":"initialize"}', 46);
        return opens('echo')(options, signal);
      },
      { traffic },
    );
    const entry = entryOf();
    const list = () => traffic.listRows(entry.key, { after: null, limit: 10 });
    await tester.test(entry, { source: 'form', principal: PRINCIPAL }, () => undefined, NEVER);
    expect(list().rows).toEqual([]);
    await tester.test(entry, STORED, () => undefined, NEVER);
    expect(list()).toMatchObject({ rows: [{ method: 'initialize', connection: 1 }], connections: [{ purpose: 'test' }] });
    expect(list().connections[0]?.endedAt).not.toBeNull();
    expect(messages).toContainEqual({ type: 'server.traffic', key: entry.key });
  });
});

async function waitUntil(condition: () => unknown): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited for 20 s in vain');
    await new Promise((done) => setTimeout(done, 5));
  }
}
