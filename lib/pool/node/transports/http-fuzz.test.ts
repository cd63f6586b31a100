import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '@/lib/core';
import type { RequestId, WireMessage } from './frame';
import { readMessages, type Carrier, type MessageSink } from './http-messages';
import { Sending } from './http-sending';
import { readAnswerStream } from './http-stream';
import { EventStreamReader, type ReadEvent } from './sse-reader';
import type { WireListener } from './transport';

const OWN = 7;
/** Requests that wait beside it. */
const OTHERS: readonly RequestId[] = [1, 2, 'seven', '07'];
setFlagsFromString('--expose-gc');
// What the flag exposes in a new context is the collector.
const collect = runInNewContext('gc') as () => void;

/** What the heap holds once everything that nobody holds is gone. */
function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const LIMIT = 2_000;

/** A listener with several requests in flight, as the seam has them. */
function makeSink() {
  const waiting = new Set([OWN, ...OTHERS].map(String));
  const settled = new Map<string, unknown>();
  const kept: string[] = [];
  const settle = (id: RequestId | null, how: unknown) => {
    if (id === null || !waiting.delete(String(id))) return;
    settled.set(String(id), how);
  };
  const listener: WireListener = {
    isBusy: () => true,
    findWaiting: (id) => (waiting.has(String(id)) ? 'tools/call' : undefined),
    onUnusable: (id) => settle(id, 'unusable'),
    onInvalidRequest: () => undefined,
    onTooLarge: (id) => settle(id, 'too large'),
    onStray: () => undefined,
    onForeignAnswer: () => undefined,
    onStreamEnded: (id) => settle(id, 'ended'),
    onRefused: () => undefined,
    onRemark: () => undefined,
    onWire: (_, text) => kept.push(text),
  };
  const sink: MessageSink = {
    listener,
    revision: null,
    isAnsweredElsewhere: () => false,
    deliver: (message: WireMessage) => {
      if ('id' in message && !('method' in message)) settle(message.id, message);
    },
  };
  return { sink, settled, waiting, kept };
}

function toResponse(chunks: readonly Uint8Array[], breaks = false): Response {
  const left = [...chunks];
  return new Response(new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (breaks) controller.error(new Error('reset'));
      else controller.close();
    },
  }), { headers: { 'content-type': 'text/event-stream' } });
}

const cut = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
  const cuts = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : cuts[index - 1], end));
};

const ids = fc.constantFrom<unknown>(OWN, String(OWN), 7.5, 1, 2, 'seven', '07', null, undefined, true, [OWN], { id: OWN }, -7, 1e308);
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2), id: ids, result: fc.oneof(fc.constant({ content: [] }), fc.jsonValue()) }, { requiredKeys: [] }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: ids, error: fc.oneof(fc.constant({ code: -1, message: 'no' }), fc.jsonValue()) }, { requiredKeys: [] }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: ids, method: fc.oneof(fc.constantFrom('ping', 'notifications/progress'), fc.jsonValue()), params: fc.jsonValue() }, { requiredKeys: ['method'] }),
  fc.jsonValue(),
);
const text = fc.oneof(message.map((value) => JSON.stringify(value) ?? ''), fc.array(message, { maxLength: 4 }).map((batch) => JSON.stringify(batch)), fc.string());
const line = fc.oneof(
  text.map((data) => `data: ${data}`), text.map((data) => `data:${data.slice(0, 20)}`),
  fc.constantFrom('', '', '', 'event: message', 'event: ping', 'id: 1', 'id:', 'id: \u0000', 'retry: 5', 'retry: 99999999999999999999', 'retry: -1', ': comment', ':', 'data', 'junk', '\uFEFFdata: x', 'data: \u0000'),
  fc.constantFrom('x', ':', 'data: ', 'id: ', 'event: ').map((start) => start + 'y'.repeat(LIMIT + 10)),
);
const ends = fc.constantFrom('\n', '\r\n', '\r');
const stream = fc.oneof(
  fc.array(fc.tuple(line, ends), { maxLength: 30 }).map((parts) => new TextEncoder().encode(parts.flat().join(''))),
  fc.uint8Array({ maxLength: 300 }),
  fc.array(fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.tuple(line, ends).map((parts) => new TextEncoder().encode(parts.join('')))), { maxLength: 20 }).map((parts) => new Uint8Array(Buffer.concat(parts))),
);
const cuts = fc.array(fc.nat(), { maxLength: 20 });

/** What an answer to our request is allowed to be. */
function expectOwnOnly(settled: ReadonlyMap<string, unknown>): void {
  for (const [id, how] of settled) {
    expect(id).toBe(String(OWN));
    if (isObject(how)) expect(String(how.id)).toBe(String(OWN));
  }
}

describe('hostile bytes over HTTP', () => {
  it('never crash the reading of a stream, and settle no request but its own', async () => {
    await fc.assert(fc.asyncProperty(stream, cuts, fc.boolean(), async (bytes, at, breaks) => {
      const { sink, settled, kept } = makeSink();
      const sending = new Sending({ jsonrpc: '2.0', id: OWN, method: 'tools/call' }, undefined, true);
      await readAnswerStream(toResponse(cut(bytes, at), breaks), {
        id: OWN, sending, sink, limitBytes: LIMIT, reopen: null, pacing: { firstMs: 1, longestMs: 1 }, onDropped: () => undefined, onEndpoint: () => undefined, signal: new AbortController().signal,
      });
      expectOwnOnly(settled);
      // Whatever came, the request is over: no stream leaves one waiting.
      expect(settled.size).toBe(1);
      for (const one of kept) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(LIMIT * 3);
    }), { numRuns: 400 });
  });

  it('never crash the reading of a body, and settle its own request, and no other', () => {
    const carriers: readonly (() => Carrier)[] = [() => ({ kind: 'body', id: OWN }), () => ({ kind: 'stream', id: OWN, hasStrayed: false }), () => ({ kind: 'push', hasStrayed: false })];
    fc.assert(fc.property(text, fc.nat(2), (body, index) => {
      const { sink, settled } = makeSink();
      const carrier = carriers[index]?.() ?? { kind: 'body', id: OWN };
      readMessages(body, carrier, sink);
      if (carrier.kind === 'push') expect(settled.size).toBe(0);
      else expectOwnOnly(settled);
      if (carrier.kind === 'body') expect(settled.size).toBe(1);
    }), { numRuns: 1_000 });
  });

  it.each(['body', 'stream'] as const)('may be nested deeper than the stack goes (%s)', (kind) => {
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    const bodies = [
      `{"jsonrpc":"2.0","id":${OWN},"result":${deep}}`,
      `{"jsonrpc":"2.0","id":${OWN},"result":[${deep}]}`,
      `[{"jsonrpc":"2.0","id":${OWN},"result":[${deep}]}]`,
      `{"jsonrpc":"2.0","id":${OWN},"error":${deep}}`,
      `{"jsonrpc":${deep},"id":${OWN}}`,
      `{"error":${deep}}`,
    ];
    for (const body of bodies) {
      const { sink, settled } = makeSink();
      readMessages(body, kind === 'body' ? { kind, id: OWN } : { kind, id: OWN, hasStrayed: false }, sink);
      expect([...settled.keys()]).toEqual([String(OWN)]);
    }
  });

  it('give the same events wherever they are cut', () => {
    const readAll = (chunks: readonly Uint8Array[]): ReadEvent[] => {
      const reader = new EventStreamReader(LIMIT);
      return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
    };
    const comparable = (events: readonly ReadEvent[]) => events.map((read) => (read.kind === 'oversize' ? { kind: read.kind, sizeBytes: read.sizeBytes, id: read.id } : read));
    fc.assert(fc.property(stream, cuts, (bytes, at) => {
      expect(comparable(readAll(cut(bytes, at)))).toEqual(comparable(readAll([bytes])));
    }), { numRuns: 500 });
  });

  it('deliver every well-formed event once, in order, whatever stands between', () => {
    const noise = fc.constantFrom(': keep-alive\n\n', 'event: ping\ndata: x\n\n', 'retry: 10\n\n', '\n', '\r\n', 'id: 3\n\n', 'junk\n\n', ':'.padEnd(LIMIT * 3, 'x').concat('\n'));
    const count = fc.integer({ min: 0, max: 20 });
    fc.assert(fc.property(count, fc.array(noise), ends, cuts, (total, between, end, at) => {
      const parts = Array.from({ length: total }, (_, index) => `${between[index] ?? ''}data: ${JSON.stringify({ number: index, text: 'ü\u2028😀' })}${end}${end}`);
      const bytes = new TextEncoder().encode(parts.join(''));
      const reader = new EventStreamReader(LIMIT);
      const events = [...cut(bytes, at).flatMap((chunk) => reader.push(chunk)), ...reader.end()];
      const numbers = events.flatMap((read) => (read.kind === 'event' && read.event.event === 'message' && read.event.data !== '' ? [JSON.parse(read.event.data) as unknown] : []));
      expect(numbers).toEqual(Array.from({ length: total }, (_, number) => ({ number, text: 'ü\u2028😀' })));
    }));
  });

  it.each(['x', ':', 'data: ', 'id: ', 'event: ', 'retry: 1'])('hold no memory for a line without end that begins with %s', (start) => {
    const reader = new EventStreamReader(LIMIT);
    reader.push(Buffer.from(start));
    const chunk = Buffer.alloc(1024 * 1024, 'y');
    const before = heldBytes();
    for (let index = 0; index < 60; index += 1) expect(reader.push(chunk)).toEqual([]);
    expect(heldBytes() - before).toBeLessThan(30 * 1024 * 1024);
    const [after] = reader.push(Buffer.from('\n\ndata: next\n\n')).slice(-1);
    expect(after).toMatchObject({ kind: 'event', event: { data: 'next' } });
  });

  it('hold no memory for an event of lines without end', () => {
    const reader = new EventStreamReader(LIMIT);
    const chunk = Buffer.from('data: x\n'.repeat(100_000));
    const before = heldBytes();
    for (let index = 0; index < 20; index += 1) expect(reader.push(chunk)).toEqual([]);
    expect(heldBytes() - before).toBeLessThan(4 * 1024 * 1024);
    expect(reader.end()).toMatchObject([{ kind: 'oversize', sizeBytes: 14_000_000 }]);
  });

  it('know of an answer that is too large whose it is', () => {
    const big = (own: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...own, result: { text: 'z'.repeat(LIMIT) } })}\n\n`;
    const reader = new EventStreamReader(LIMIT);
    const scanned = (event: string) => reader.push(Buffer.from(event)).map((read) => (read.kind === 'oversize' ? read.scanned : read));
    expect(scanned(big({ id: OWN }))).toMatchObject([{ id: OWN, hasMethod: false }]);
    expect(scanned(big({ id: 'x', method: 'sampling/createMessage' }))).toMatchObject([{ hasMethod: true }]);
  });
});
