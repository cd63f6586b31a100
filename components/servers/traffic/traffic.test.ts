import { describe, expect, it } from 'vitest';
import { matchMessages, readShape, type Traffic, type WireConnection, type WireRow } from '@/lib/pool';
import { addTraffic, MOST_ROWS } from './add-traffic';
import { toCopiedJson, toCopiedMessage } from './copy-messages';
import { toKindLook, toMatchLook } from './match-look';
import { listTrafficFilters, toWireFilter } from './traffic-filters';
import { toTrafficItems, type TrafficItem } from './traffic-items';

const rowOf = (number: number, more: Partial<WireRow> = {}): WireRow => ({
  ...readShape('{"jsonrpc":"2.0","id":1,"method":"ping"}'), number, connection: 1, direction: 'sent', at: number * 10, sizeBytes: 40, isCut: false, ...more,
});
const connectionOf = (number: number, more: Partial<WireConnection> = {}): WireConnection => ({ number, purpose: 'shared', firstMessage: 1, openedAt: 1, endedAt: null, ...more });
const trafficOf = (numbers: readonly number[], more: Partial<Traffic> = {}): Traffic => ({
  since: 1, rows: numbers.map((number) => rowOf(number)), connections: [connectionOf(1)], more: false, ...more,
});

describe('traffic that is read on', () => {
  it('has each message once, however readings overlap', () => {
    expect(addTraffic(trafficOf([1, 2]), trafficOf([2, 3])).rows.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('begins anew with another life of the console', () => {
    expect(addTraffic(trafficOf([1, 2]), trafficOf([1], { since: 9 })).rows).toHaveLength(1);
  });

  it('is bounded, and keeps the connections of what it shows', () => {
    const many = trafficOf(Array.from({ length: MOST_ROWS }, (_, index) => index + 1));
    const after = addTraffic(many, trafficOf([MOST_ROWS + 5], { connections: [connectionOf(2)] }));
    expect(after.rows).toHaveLength(MOST_ROWS);
    expect(after.connections.map(({ number, endedAt }) => [number, endedAt])).toEqual([[1, (MOST_ROWS + 5) * 10], [2, null]]);
  });
});

describe('the lines of the list', () => {
  const words = (items: readonly TrafficItem[]) =>
    items.map((item) => (item.kind === 'message' ? item.row.number : item.kind === 'gap' ? `gap ${item.count}` : `c${item.connection.number}${item.goesOn ? ' on' : ''}`));

  it('say where the connection changes, and where messages are missing', () => {
    const rows = [rowOf(4), rowOf(5, { connection: 2 }), rowOf(6), rowOf(9)];
    const connections = [connectionOf(1), connectionOf(2)];
    expect(words(toTrafficItems(rows, new Set([4, 5, 6, 9]), connections))).toEqual(['gap 3', 'c1', 4, 'c2', 5, 'c1 on', 6, 'gap 2', 9]);
  });

  it('do not call missing what was filtered out', () => {
    expect(words(toTrafficItems([rowOf(1), rowOf(2), rowOf(3)], new Set([1, 3]), [connectionOf(1)]))).toEqual(['c1', 1, 3]);
  });
});

describe('what is copied', () => {
  it('is the message with what is known of it, and its very text where JSON would change it', () => {
    const request = { ...rowOf(1), text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
    const answer = { ...rowOf(2, { ...readShape('{"jsonrpc":"2.0","id":1,"result":{}}'), direction: 'received' }), text: '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}' };
    const matches = matchMessages([request, answer], [connectionOf(1)]);
    expect(JSON.parse(toCopiedMessage(request, matches.get(1)))).toEqual({
      number: 1, connection: 1, direction: 'sent', at: '1970-01-01T00:00:00.010Z', kind: 'request', method: 'ping', id: 1, size_bytes: 40,
      standing: 'answered', partner: 2, ms: 10, message: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    expect(JSON.parse(toCopiedJson([answer, rowOf(3)], matches))).toMatchObject([{ standing: 'answers', method: 'ping', text: answer.text }, { number: 3, kept: false }]);
    expect(JSON.parse(toCopiedMessage({ ...request, isCut: true, text: '{"jso' }, undefined))).toMatchObject({ cut: true, text: '{"jso' });
  });
});

describe('the words', () => {
  it('of a match say what a person wants to know', () => {
    expect(toMatchLook({ kind: 'answered', partner: 1, ms: 12, late: false }).word).toBe('answered in 12 ms');
    expect(toMatchLook({ kind: 'waiting' })).toEqual({ meaning: 'working', word: 'no answer yet' });
    expect(toMatchLook({ kind: 'answers', partner: 1, method: 'x', ms: 1_200, late: true })).toEqual({ meaning: 'attention', word: 'late, after 1.2 s', short: 'late, 1.2 s' });
  });

  it('of a kind name the code of an error', () => {
    expect(toKindLook({ kind: 'error', code: 502, parts: [] }).word).toBe('HTTP 502');
    expect(toKindLook({ kind: 'error', code: -32_601, parts: [] }).word).toBe('error -32601');
  });
});

describe('the filter of the address', () => {
  it('leaves out what it cannot read', () => {
    expect(toWireFilter({ direction: ['received', 'sideways'], kind: ['result'], connection: ['2', 'x'], method: ['tools'], unanswered: ['1'] })).toEqual({
      directions: ['received'], kinds: ['result'], connections: [2], method: 'tools', onlyUnanswered: true,
    });
    expect(toWireFilter({}).directions).toEqual([]);
  });

  it('names each connection with what it was for', () => {
    expect(JSON.stringify(listTrafficFilters([connectionOf(3, { purpose: 'test' })]))).toContain('connection 3, test');
  });
});
