import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KiB, MiB, Redactor, type Clock } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import { matchMessages } from '../..';
import { toKey } from '../testing';
import { TrafficBook, type TrafficOptions } from './traffic';

const KEY = toKey('one');
const ALL = { after: null, limit: 500 };
const CLOCK: Clock & { at: number } = { at: 1_000, now: () => (CLOCK.at += 1) };

let told: LiveMessage[];
const makeBook = (more: Partial<TrafficOptions> = {}) =>
  new TrafficBook({ clock: CLOCK, publish: (message) => told.push(message), redactor: new Redactor(['vault-secret-value']), ...more });
const record = (book: TrafficBook, key = 'one', secretValues: readonly string[] = []) =>
  book.record({ keys: () => [toKey(key)], purpose: 'shared', secretValues });
const request = (id: number | string, params: unknown = {}) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
const pass = (recorder: ReturnType<typeof record>, direction: 'sent' | 'received', text: string) =>
  recorder.onWire(direction, text, Buffer.byteLength(text));

beforeEach(() => {
  told = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the book of traffic', () => {
  it('keeps each message as it was, with its time, direction and size, over all connections of a server', () => {
    const book = makeBook();
    const first = record(book);
    pass(first, 'sent', request(1));
    pass(first, 'received', '{ "jsonrpc":"2.0" ,"id":1,"result":{} }');
    first.end();
    const second = book.record({ keys: () => [KEY], purpose: 'test', secretValues: [] });
    pass(second, 'sent', request('ü'));
    const { rows, connections } = book.listMessages(KEY, ALL);
    expect(rows.map(({ number, connection, direction, kind, text, isCut }) => ({ number, connection, direction, kind, text, isCut }))).toEqual([
      { number: 1, connection: 1, direction: 'sent', kind: 'request', text: request(1), isCut: false },
      { number: 2, connection: 1, direction: 'received', kind: 'result', text: '{ "jsonrpc":"2.0" ,"id":1,"result":{} }', isCut: false },
      { number: 3, connection: 2, direction: 'sent', kind: 'request', text: request('ü'), isCut: false },
    ]);
    expect(rows[2]?.sizeBytes).toBe(Buffer.byteLength(request('ü')));
    expect(connections).toMatchObject([{ number: 1, purpose: 'shared' }, { number: 2, purpose: 'test', endedAt: null }]);
    expect(connections[0]?.endedAt).toBeGreaterThan(connections[0]?.openedAt ?? 0);
    expect(matchMessages(rows, connections).get(1)).toMatchObject({ kind: 'answered', partner: 2 });
  });

  it('lists from a number on, in parts, and the newest where none is named', () => {
    const book = makeBook();
    const recorder = record(book);
    for (let id = 1; id <= 10; id += 1) pass(recorder, 'sent', request(id));
    const numbers = (query: { after: number | null; limit: number }) => book.listRows(KEY, query).rows.map(({ number }) => number);
    expect(numbers({ after: null, limit: 3 })).toEqual([8, 9, 10]);
    expect(numbers({ after: 2, limit: 3 })).toEqual([3, 4, 5]);
    expect(book.listRows(KEY, { after: 2, limit: 3 }).more).toBe(true);
    expect(book.listRows(KEY, { after: 8, limit: 3 })).toMatchObject({ more: false, rows: [{ number: 9 }, { number: 10 }] });
    expect(book.listRows(toKey('nobody'), ALL)).toEqual({ since: 0, rows: [], connections: [], more: false });
  });

  it('answers so much text at once that others are not held up, and says that there is more', () => {
    const book = makeBook();
    const recorder = record(book);
    for (let id = 1; id <= 40; id += 1) pass(recorder, 'sent', request(id, 'x'.repeat(60 * KiB)));
    let after = 0;
    let answers = 0;
    for (let more = true; more; answers += 1) {
      const part = book.listMessages(KEY, { after, limit: 500 });
      expect(part.rows.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(1.1 * MiB);
      after = part.rows.at(-1)?.number ?? 0;
      ({ more } = part);
    }
    expect(after).toBe(40);
    expect(answers).toBeGreaterThan(1);
  });

  it('keeps the last 500 of a server, and no more than its bytes', () => {
    const book = makeBook();
    const recorder = record(book);
    for (let id = 1; id <= 1_700; id += 1) pass(recorder, 'sent', request(id));
    expect(book.listRows(KEY, ALL).rows.map(({ number }) => number)).toEqual(Array.from({ length: 500 }, (_, index) => 1_201 + index));
    for (let id = 1; id <= 200; id += 1) pass(recorder, 'sent', request(id, 'x'.repeat(100 * KiB)));
    const { rows } = book.listRows(KEY, ALL);
    expect(rows.length).toBeLessThanOrEqual(64);
    expect(rows.at(-1)?.number).toBe(1_900);
  });

  it('gives a connection one number as long as it is open, and forgets one that ended with its messages', () => {
    const book = makeBook();
    const quiet = record(book);
    pass(quiet, 'sent', request(1));
    const loud = record(book);
    for (let id = 1; id <= 600; id += 1) pass(loud, 'sent', request(id));
    expect(book.listRows(KEY, ALL).connections.map(({ number }) => number)).toEqual([2]);
    pass(quiet, 'received', '{"jsonrpc":"2.0","id":1,"result":{}}');
    const { rows, connections } = book.listRows(KEY, ALL);
    expect(connections.map(({ number, firstMessage }) => [number, firstMessage])).toEqual([[1, 1], [2, 2]]);
    expect(matchMessages(rows, connections).get(602)).toEqual({ kind: 'request_gone' });
    quiet.end();
    loud.end();
    const third = record(book);
    for (let id = 1; id <= 600; id += 1) pass(third, 'sent', request(id));
    expect(book.listRows(KEY, ALL).connections).toMatchObject([{ number: 3, firstMessage: 603 }]);
  });

  it('bounds what all servers keep, at the cost of the one that keeps most', () => {
    const book = makeBook({ limits: { server: { messages: 500, bytes: 4 * MiB }, totalBytes: 6 * MiB } });
    pass(record(book, 'small'), 'sent', request(1));
    const large = ['l1', 'l2', 'l3'].map((key) => record(book, key));
    for (let id = 1; id <= 100; id += 1) for (const recorder of large) pass(recorder, 'sent', request(id, 'x'.repeat(60 * KiB)));
    const counts = ['small', 'l1', 'l2', 'l3'].map((key) => book.listRows(toKey(key), ALL).rows.length);
    expect(counts[0]).toBe(1);
    expect(counts.slice(1).reduce((sum, count) => sum + count * 60 * KiB, 0)).toBeLessThan(6 * MiB);
    expect(Math.min(...counts.slice(1))).toBeGreaterThan(20);
  });

  it('cuts a long text, says so, and still knows the id at its end', () => {
    const book = makeBook();
    const recorder = record(book);
    pass(recorder, 'sent', request(7));
    const text = JSON.stringify({ result: { content: [{ type: 'text', text: 'ü'.repeat(200 * KiB) }] }, jsonrpc: '2.0', id: 7 });
    pass(recorder, 'received', text);
    const [, answer] = book.listMessages(KEY, ALL).rows;
    expect(answer).toMatchObject({ isCut: true, id: 7, kind: 'result', sizeBytes: Buffer.byteLength(text) });
    expect(answer?.text.length).toBeLessThanOrEqual(64 * KiB);
    expect(text.startsWith(answer?.text ?? '-')).toBe(true);
    const { rows, connections } = book.listRows(KEY, ALL);
    expect(matchMessages(rows, connections).get(1)).toMatchObject({ kind: 'answered', partner: 2 });
  });

  it('takes the beginning of a message that the transport let go as what it is', () => {
    const book = makeBook();
    record(book).onWire('received', '{"jsonrpc":"2.0","id":1,"result":{"text":"aaa', 500 * MiB);
    record(book).onWire('received', '', 500 * MiB);
    expect(book.listMessages(KEY, ALL).rows).toMatchObject([{ kind: 'result', id: 1, isCut: true, sizeBytes: 500 * MiB }, { kind: 'other', isCut: true, text: '' }]);
  });

  it('shows no secret: of the vault, of the configuration, by its shape, by its name, at a cut', () => {
    const book = makeBook();
    const recorder = record(book, 'one', ['own secret value', 'line one of it\nline two of it']);
    pass(recorder, 'sent', request(1, { a: 'vault-secret-value', b: 'own secret value', c: 'Bearer abcdefghijklmnop', password: 'hunter2' }));
    pass(recorder, 'received', `{"jsonrpc":"2.0","id":"own secret value","result":{"text":"line two of it own secr\\u0065t value"}}`);
    for (let before = 0; before < 24; before += 1) {
      pass(recorder, 'received', `{"jsonrpc":"2.0","id":1,"result":"${'x '.repeat(32 * KiB - 25).slice(before)}own secret value ${'y'.repeat(1000)}"}`);
    }
    const shown = JSON.stringify([book.listMessages(KEY, ALL), book.listRows(KEY, ALL)]);
    expect(shown).not.toMatch(/vault-secret|own sec|line two|abcdefgh|hunter2/);
    expect(shown).toContain('[redacted]');
  });

  it('tells of new messages at once, then at most four times a second, and never of none', () => {
    const book = makeBook();
    const recorder = record(book);
    for (let id = 0; id < 1_000; id += 1) {
      pass(recorder, 'sent', request(id));
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual(Array.from({ length: told.length }, () => ({ type: 'server.traffic', key: 'one' })));
    expect(told.length).toBeGreaterThanOrEqual(4);
    expect(told.length).toBeLessThanOrEqual(6);
    book.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('forgets a deleted server for good: what still comes of it is not kept', () => {
    const book = makeBook();
    const recorder = record(book);
    pass(recorder, 'sent', request(1));
    book.forget(KEY);
    pass(recorder, 'received', request(2));
    expect(book.listRows(KEY, ALL).rows).toEqual([]);
    pass(record(book), 'sent', request(3));
    expect(book.listRows(KEY, ALL).rows).toMatchObject([{ number: 1, id: 3 }]);
  });
});

describe('memory', () => {
  setFlagsFromString('--expose-gc');
  // The engine's own function, which has no type.
  const collect = runInNewContext('gc') as () => void;
  const settledBytes = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };

  it('stays flat under a flood of 100,000 messages', () => {
    const book = makeBook();
    const recorder = record(book);
    const flood = (count: number) => {
      for (let id = 0; id < count; id += 1) pass(recorder, id % 2 === 0 ? 'sent' : 'received', request(id, 'y'.repeat(id % 2_000)));
    };
    flood(20_000);
    const before = settledBytes();
    flood(100_000);
    expect(settledBytes() - before).toBeLessThan(24 * MiB);
    expect(book.listRows(KEY, ALL).rows).toHaveLength(500);
  });

  it('holds no large message alive by the part that it keeps', () => {
    const book = makeBook();
    const recorder = record(book);
    const before = settledBytes();
    for (let id = 0; id < 20; id += 1) {
      // Each text of its own, as a transport decodes it.
      const text = Buffer.alloc(50 * MiB, id + 65).toString('latin1');
      recorder.onWire('received', text, text.length);
    }
    expect(settledBytes() - before).toBeLessThan(120 * MiB);
    expect(book.listRows(KEY, ALL).rows).toHaveLength(20);
  });
});
