import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Principal } from '@/lib/auth';
import { callIds, type JsonObject } from '@/lib/core';
import { EMPTY_LEDGER_FILTER } from '@/lib/ledger';
import { exportEntries } from '@/lib/ledger/node';
import type { LiveMessage } from '@/lib/live';
import { openLiveStream } from '@/lib/live/node';
import { toServerKey } from '@/lib/servers';
import { openRuntime, type Runtime } from './boot';
import { readEnvironment } from './env';
import { createLogger } from './log';

/** One secret of each kind on every way that a server and a person have into the console, and where it must not come out. */

const ROOT = join(import.meta.dirname, '..');
const VAULT = 'vaultcanary 7f3a91/b+c';
/** A value of the vault in the forms in which others may have written it. */
const VAULT_FORMS = [VAULT, encodeURIComponent(VAULT), Buffer.from(VAULT).toString('base64'), Buffer.from(VAULT).toString('base64url')];
/** What is shaped like a secret: kept on the entry, and nowhere else. */
const SHAPES = {
  bearer: 'Authorization: Bearer bearercanary0123456789',
  key: 'sk-live-keycanary0123456789abcd',
  signed: 'https://bucket.example/f?X-Amz-Signature=signedcanary0123456789&part=1',
  basic: 'https://ann:basiccanary@host.example/',
} as const;
const SHAPED = ['bearercanary', 'keycanary', 'signedcanary', 'basiccanary'];
const NAMED = 'namedcanary-1';

/** Says all that it was given, and its secret, wherever a server can say something. */
const LEAKY = `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const secret = process.env.CANARY;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'leaky', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools: ['answer', 'fail', 'refuse'].map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  else if (method === 'tools/call') {
    const words = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), JSON.stringify(params.arguments)].join(' ');
    process.stderr.write(words + '\\n');
    say({ method: 'notifications/message', params: { level: 'error', data: words } });
    if (params._meta?.progressToken !== undefined) say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1, message: words } });
    const data = { password: params.arguments.password, words };
    if (params.name === 'refuse') say({ id, error: { code: -32000, message: words, data } });
    else say({ id, result: { content: [{ type: 'text', text: words }], structuredContent: data, isError: params.name === 'fail' } });
  } else if (method === 'ping') say({ id, result: {} });
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'no such method' } });
}`;

let directory: string;
let runtime: Runtime;
let lines: string[];
const messages: LiveMessage[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-canaries-'));
  writeFileSync(join(directory, 'leaky.mjs'), LEAKY);
  lines = [];
  messages.length = 0;
  runtime = await openRuntime({
    env: readEnvironment({ SIGNALBOX_HOME: join(directory, 'home'), SIGNALBOX_PACKAGE_ROOT: ROOT, PATH: process.env.PATH, SIGNALBOX_METRICS_TOKEN: 'a-token-of-the-test-0' }, undefined),
    use: 'command',
    log: (redactor) => createLogger({ level: 'trace', redactor, destination: 'stderr', write: (line) => lines.push(line) }),
  });
});
afterEach(async () => {
  await runtime.close();
  rmSync(directory, { recursive: true, force: true });
});

const principalOf = (): Principal => {
  const actor = { kind: 'person', name: 'ann@example.org' } as const;
  return { actor, role: 'admin', sessionRunId: runtime.runs.sessionRun('canaries', actor) };
};

async function call(tool: string, args: JsonObject) {
  const principal = principalOf();
  return runtime.calls.call(
    { callId: callIds.create(), serverKey: toServerKey('leaky'), tool, arguments: args, runId: principal.sessionRunId, totalMs: null, tryAnyway: false, requiresExposure: false },
    principal,
    new AbortController().signal,
  );
}

/** All that one reader of the live stream gets until it is in step, as it goes over the line. */
async function readLive(): Promise<string> {
  const leaving = new AbortController();
  const stream = openLiveStream({ bus: runtime.bus, reader: runtime.ledger.reader, after: 0, seesContents: true, signal: leaving.signal, isStillAllowed: () => Promise.resolve(true) });
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes('"caught_up"')) leaving.abort();
  }
  return text;
}

async function readExport(format: 'jsonl' | 'csv'): Promise<string> {
  let text = '';
  const options = { reader: runtime.ledger.reader, redactor: runtime.redactor, format, seesContents: true };
  for await (const piece of exportEntries(options, EMPTY_LEDGER_FILTER, new AbortController().signal)) text += piece;
  return text;
}

/** Every file of the data directory, the write-ahead log included. */
function readHome(): string {
  runtime.db.sqlite.pragma('wal_checkpoint(FULL)');
  const home = join(directory, 'home');
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'latin1'))
    .join('\n');
}

const search = (text: string): number => runtime.ledger.reader.list({ ...EMPTY_LEDGER_FILTER, text }, { before: null, limit: 10 }).rows.length;

it('a secret comes out of a call nowhere but where it may be seen', async () => {
  runtime.vault.set('CANARY', VAULT, principalOf());
  const saved = runtime.store.create(
    { key: 'leaky', label: 'leaky', command: process.execPath, args: [join(directory, 'leaky.mjs')], era: 'legacy', connect: 'use', env: { CANARY: '${secret:CANARY}' } },
    principalOf(),
  );
  expect(saved.ok).toBe(true);
  const heard = runtime.bus.subscribe((message) => messages.push(message));
  const args = { ...SHAPES, password: NAMED, note: `it is ${VAULT}`, large: `${SHAPES.bearer} ${'and so on '.repeat(20_000)}` };
  const results = [await call('answer', args), await call('fail', args), await call('refuse', args), await call('absent', args)];
  heard();
  expect(results.map(({ outcome }) => outcome).slice(0, 3)).toEqual(['ok', 'tool_error', 'protocol_error']);
  runtime.log.error({ results, args }, 'what was called');

  const entries = results.map(({ sequence }) => runtime.ledger.reader.find(sequence)!);
  const kept = JSON.stringify(await Promise.all(entries.map(async (entry) => ({ entry, result: entry.result === null ? null : await runtime.ledger.reader.payload(entry.result) }))));
  // What was sent stands on the entry, for those who may see it, but for the values of the vault.
  for (const part of [...SHAPED, NAMED]) expect(kept, `kept: ${part}`).toContain(part);
  expect(kept).toContain('[redacted]');

  const metrics = await (await runtime.health.metrics())?.render();
  const outside: Record<string, string> = {
    log: lines.join('\n'),
    'the live stream': await readLive(),
    'the bus': JSON.stringify(messages),
    'the export as JSONL': await readExport('jsonl'),
    'the export as CSV': await readExport('csv'),
    'a list': JSON.stringify(runtime.ledger.reader.list(EMPTY_LEDGER_FILTER, { before: null, limit: 10 })),
    'the run’s failures': JSON.stringify(runtime.runHeaders.findHeader(principalOf().sessionRunId)),
    metrics: metrics ?? '',
    health: JSON.stringify(runtime.pool.state(toServerKey('leaky'))),
    audit: JSON.stringify(runtime.audit.list({ before: null, limit: 100 })),
  };
  expect(outside['the live stream']).toContain('"tool":"refuse"');
  expect(outside['log']).toContain('what was called');
  for (const [where, text] of Object.entries(outside)) {
    for (const part of [...SHAPED, NAMED, ...VAULT_FORMS]) expect(text.includes(part), `${part} in ${where}`).toBe(false);
  }
  const everything = `${readHome()}\n${kept}`;
  for (const form of VAULT_FORMS) expect(everything.includes(form), `${form} at rest`).toBe(false);
  expect([search('vaultcanary'), search('7f3a91'), search('bearercanary0123456789')]).toEqual([0, 0, 4]);
}, 120_000);
