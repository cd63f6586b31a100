import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveMessage } from '..';
import { openTestLedger, spawnWriter, type TestLedger } from '../../ledger/node/testing';
import { openLiveStream, type LiveStreamOptions } from './stream';

let ledger: TestLedger;
const leaving: AbortController[] = [];
const isStillAllowed = () => Promise.resolve(true);
beforeEach(() => {
  ledger = openTestLedger();
});
afterEach(() => {
  for (const abort of leaving.splice(0)) abort.abort();
  ledger.close();
});

interface Received {
  readonly id: string | null;
  readonly message: LiveMessage;
}

/** Reads a stream until a message satisfies; the rest of the stream is given up. */
async function readUntil(options: Partial<LiveStreamOptions>, isLast: (message: LiveMessage, all: readonly Received[]) => boolean, pauseMs = 0): Promise<Received[]> {
  const abort = new AbortController();
  leaving.push(abort);
  const stream = openLiveStream({ bus: ledger.bus, reader: ledger.reader, after: 0, seesContents: true, signal: abort.signal, isStillAllowed, pollMs: 20, ...options });
  const received: Received[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const message = JSON.parse(data) as LiveMessage;
      received.push({ id: /^id: (.*)$/m.exec(event)?.[1] ?? null, message });
      if (isLast(message, received)) {
        abort.abort();
        return received;
      }
    }
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return received;
}

const rowsOf = (received: readonly Received[]) =>
  received.flatMap(({ id, message }) => (message.type === 'ledger.row' ? [{ id: Number(id), ...message }] : []));

function call(tool: string): number {
  const { sequence } = ledger.writer.open(ledger.toOpening({ tool }));
  ledger.writer.append(sequence, { type: 'call.sent', at: Date.now(), attempt: 1, era: 'modern', argumentsSent: null });
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result: null });
  return sequence;
}

describe('the live stream', () => {
  it('brings what is stored after the cursor, says that it caught up, and follows', async () => {
    const first = call('a');
    const cursor = ledger.reader.newestCursor();
    call('b');
    const received = await readUntil({ after: cursor }, (message) => {
      if (message.type === 'caught_up') setTimeout(() => call('c'), 5);
      return message.type === 'ledger.row' && message.row.tool === 'c' && message.row.outcome === 'ok';
    });
    const rows = rowsOf(received);
    expect(rows.every(({ id, cursor: at }) => id === at && at > cursor)).toBe(true);
    expect(rows.some(({ row }) => row.sequence === first)).toBe(false);
    expect(received.findIndex(({ message }) => message.type === 'caught_up')).toBe(1);
  });

  it('begins with what comes next where no cursor is given, and never waits for a cursor of another ledger', async () => {
    call('old');
    for (const after of [null, 1_000_000]) {
      const [first] = await readUntil({ after }, () => true);
      expect(first).toEqual({ id: '3', message: { type: 'caught_up', cursor: 3 } });
    }
  });

  it('misses nothing and repeats nothing over reconnects, while this and another process write', async () => {
    const child = spawnWriter(
      ledger,
      `await say('ready'); await heard.next();
       for (let n = 0; n < 60; n += 1) {
         const sequence = open('other');
         writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result: null });
         if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
       }
       await say('done');`,
    );
    const exited = once(child, 'exit');
    await once(createInterface({ input: child.stdout! }), 'line');
    child.stdin!.write('go\n');
    const own = (async () => {
      for (let n = 0; n < 60; n += 1) {
        call('own');
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const finished = new Map<number, string>();
    const cursors: number[] = [];
    let after = 0;
    const isDone = () => [...finished.values()].filter((tool) => tool === 'own').length === 60 && [...finished.values()].filter((tool) => tool === 'other').length === 60;
    while (!isDone()) {
      // Each connection ends after some events, in the middle of whatever happens.
      const received = await readUntil({ after }, (message, all) => {
        if (message.type === 'ledger.row' && message.row.outcome === 'ok') finished.set(message.row.sequence, message.row.tool);
        return all.length >= 17 || isDone();
      });
      for (const { id } of rowsOf(received)) cursors.push(id);
      after = cursors.at(-1) ?? after;
    }
    await own;
    await exited;
    expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
    expect(finished.size).toBe(120);
  });

  it('misses nothing and repeats nothing when the console is killed and started again', async () => {
    const body = (after: number) => `
      const { openLiveStream } = await import('@/lib/live/node');
      const { LedgerReader } = await import('@/lib/ledger/node');
      const own = new LiveBus();
      const console_ = new LedgerWriter({ database, blobs, bus: own, redactor: new Redactor() });
      const reader = new LedgerReader({ database, blobs, redactor: new Redactor() });
      console_.interruptAbandoned();
      const stream = openLiveStream({ bus: own, reader, after: ${after}, seesContents: true, signal: new AbortController().signal, isStillAllowed: async () => true });
      void (async () => {
        for (let n = 0; ; n += 1) {
          const { sequence } = console_.open({ ...${JSON.stringify(ledger.toOpening())}, tool: 't' + n, callId: callIds.create() });
          await new Promise((resolve) => setTimeout(resolve, 2));
          console_.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result: null });
        }
      })();
      const decoder = new TextDecoder();
      for await (const piece of stream) process.stdout.write(decoder.decode(piece, { stream: true }));`;
    const cursors: number[] = [];
    const last = new Map<number, string>();
    for (let run = 1; run <= 3; run += 1) {
      const child = spawnWriter(ledger, body(cursors.at(-1) ?? 0));
      const exited = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout! })) {
        if (!line.startsWith('data: ')) continue;
        const message = JSON.parse(line.slice(6)) as LiveMessage;
        if (message.type !== 'ledger.row') continue;
        cursors.push(message.cursor);
        last.set(message.row.sequence, message.row.outcome);
        if (cursors.length >= run * 60) break;
      }
      child.kill('SIGKILL');
      await exited;
    }
    ledger.writer.interruptAbandoned();
    for (const { message } of await readUntil({ after: cursors.at(-1) ?? 0 }, ({ type }) => type === 'caught_up')) {
      if (message.type !== 'ledger.row') continue;
      cursors.push(message.cursor);
      last.set(message.row.sequence, message.row.outcome);
    }
    expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
    const stored = ledger.database.sqlite.prepare<[], { sequence: number; outcome: string }>('SELECT sequence, outcome FROM ledger_entries ORDER BY sequence').all();
    expect([...last].sort(([a], [b]) => a - b)).toEqual(stored.map(({ sequence, outcome }) => [sequence, outcome]));
    expect(new Set(last.values())).toEqual(new Set(['ok', 'interrupted']));
  });

  it('gives a slow reader the newest state of each row, holding little in memory', async () => {
    for (let n = 0; n < 1000; n += 1) ledger.writer.open(ledger.toOpening({ tool: `t${n}` }));
    const received = await readUntil({}, (message) => message.type === 'caught_up', 1);
    expect(new Set(rowsOf(received).map(({ row }) => row.sequence)).size).toBe(1000);
  });

  it('hides from a viewer what servers wrote', async () => {
    const { sequence } = ledger.writer.open(ledger.toOpening());
    ledger.writer.append(sequence, {
      type: 'call.finished', at: 1, outcome: 'tool_error', result: null,
      error: { code: 'the contents', message: 'the contents', remediation: null, remediationBy: 'server', httpStatus: null, details: null, rpcCode: null, readFromText: false },
    });
    const received = await readUntil({ seesContents: false }, (message) => {
      if (message.type === 'caught_up') {
        ledger.bus.publish({ type: 'server.log', key: 'fs', line: { number: 1, at: 1, source: 'stderr', text: 'the contents' } });
        ledger.bus.publish({ type: 'server.changed', key: 'fs' });
      }
      return message.type === 'server.changed';
    });
    expect(rowsOf(received)[0]?.row).toMatchObject({ errorCode: null, errorMessage: null });
    expect(JSON.stringify(received)).not.toContain('the contents');
  });

  it('keeps the line open with comments and ends with the request', async () => {
    const abort = new AbortController();
    const stream = openLiveStream({ bus: ledger.bus, reader: ledger.reader, after: null, seesContents: true, signal: abort.signal, isStillAllowed, keepAliveMs: 10 });
    let text = '';
    for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(piece);
      if (text.includes(': still here')) abort.abort();
    }
    expect(text).toMatch(/^retry: 1000\n\nid: 0\ndata: \{"type":"caught_up","cursor":0\}\n\n(: still here\n\n)+$/);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['may no longer read it', () => Promise.resolve(false)],
    ['cannot be told any more', () => Promise.reject(new Error('no answer'))],
  ])('ends when its reader %s', async (_name, answer) => {
    let asked = 0;
    const received = await readUntil(
      { recheckMs: 10, isStillAllowed: () => ((asked += 1) < 3 ? Promise.resolve(true) : answer()) },
      () => false,
    );
    expect(received.map(({ message }) => message.type)).toEqual(['caught_up']);
    expect(asked).toBeGreaterThanOrEqual(3);
  });

  it('ends when the data file is closed under it', async () => {
    const other = openTestLedger();
    const stream = openLiveStream({ bus: other.bus, reader: other.reader, after: null, seesContents: true, signal: new AbortController().signal, isStillAllowed, pollMs: 10 });
    const reader = stream.getReader();
    await reader.read();
    other.close();
    for (let read = await reader.read(); !read.done; read = await reader.read()) expect(read.value.byteLength).toBeGreaterThan(0);
  });

  it('lets go of the bus when its reader leaves', async () => {
    let listeners = 0;
    const bus: LiveStreamOptions['bus'] = {
      subscribe: () => {
        listeners += 1;
        return () => {
          listeners -= 1;
        };
      },
    };
    const stream = openLiveStream({ bus, reader: ledger.reader, after: null, seesContents: true, signal: new AbortController().signal, isStillAllowed });
    const reader = stream.getReader();
    await reader.read();
    expect(listeners).toBe(1);
    await reader.cancel();
    await expect.poll(() => listeners).toBe(0);
  });
});
