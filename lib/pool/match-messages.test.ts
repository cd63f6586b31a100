import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterMessages, methodOf, type WireFilter } from './filter-messages';
import { isUnanswered, matchMessages, partnerOf } from './match-messages';
import type { WireDirection, WireRow } from './wire-message';
import { readShape } from './wire-shape';

interface Passed {
  readonly direction?: WireDirection;
  readonly connection?: number;
  readonly isCut?: boolean;
  readonly text?: string;
}

const row = (number: number, message: object | null, more: Passed = {}): WireRow => ({
  ...readShape(more.text ?? JSON.stringify(message)),
  number, connection: more.connection ?? 1, direction: more.direction ?? 'sent', at: number * 10, sizeBytes: 10, isCut: more.isCut ?? false,
});
const ask = (number: number, id: number | string, more: Passed = {}) => row(number, { jsonrpc: '2.0', id, method: 'tools/call' }, more);
const answer = (number: number, id: number | string | null, more: Passed = {}) =>
  row(number, { jsonrpc: '2.0', id, result: {} }, { direction: 'received', ...more });
/** Matches with every connection known from its first message on. */
const match = (rows: readonly WireRow[], isOver = false) =>
  matchMessages(rows, [1, 2].map((number) => ({
    number, purpose: 'shared', openedAt: 0, endedAt: isOver ? 1 : null, firstMessage: rows.find(({ connection }) => connection === number)?.number ?? 0,
  })));

describe('requests and their answers', () => {
  it('are matched with the time between them', () => {
    const matches = match([ask(1, 1), ask(2, 2), answer(3, 2), answer(5, 1)]);
    expect(matches.get(1)).toEqual({ kind: 'answered', partner: 5, ms: 40, late: false });
    expect(matches.get(3)).toEqual({ kind: 'answers', partner: 2, method: 'tools/call', ms: 10, late: false });
  });

  it('of the two sides have ids of their own', () => {
    const matches = match([ask(1, 1), ask(2, 1, { direction: 'received' }), answer(3, 1, { direction: 'sent' }), answer(4, 1)]);
    expect([1, 2, 3, 4].map((number) => partnerOf(matches.get(number) ?? { kind: 'alone' }))).toEqual([4, 3, 2, 1]);
  });

  it('that are no longer kept are not called missing', () => {
    const connection = { number: 1, purpose: 'shared', openedAt: 0, endedAt: null, firstMessage: 1 } as const;
    expect(matchMessages([answer(7, 1)], [connection]).get(7)).toEqual({ kind: 'request_gone' });
    expect(matchMessages([answer(7, 1)], []).get(7)).toEqual({ kind: 'request_gone' });
  });

  it('of two connections have nothing to do with each other', () => {
    expect(match([ask(1, 1), answer(2, 1, { connection: 2 })]).get(2)).toEqual({ kind: 'unasked' });
  });

  it('tell 1 from "1" where both were asked, and take one for the other where not', () => {
    const matches = match([ask(1, 1), ask(2, '1'), answer(3, '1'), answer(4, 1), ask(5, 7), answer(6, '7')]);
    expect([1, 2, 5].map((number) => partnerOf(matches.get(number) ?? { kind: 'alone' }))).toEqual([4, 3, 6]);
    expect(match([ask(1, 1), answer(2, ' 1')]).get(2)).toEqual({ kind: 'unasked' });
  });

  it('show a second answer as what it is', () => {
    const matches = match([ask(1, 1), answer(2, 1), answer(3, 1), answer(4, 99)]);
    expect(matches.get(1)).toMatchObject({ kind: 'answered', partner: 2 });
    expect(matches.get(3)).toEqual({ kind: 'second_answer', partner: 1, method: 'tools/call' });
    expect(matches.get(4)).toEqual({ kind: 'unasked' });
  });

  it('show a cancelled request, and its answer as late', () => {
    const cancel = row(2, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(match([ask(1, 1), cancel]).get(1)).toEqual({ kind: 'cancelled', partner: 2 });
    const late = match([ask(1, 1), cancel, answer(4, 1)]);
    expect(late.get(1)).toMatchObject({ kind: 'answered', partner: 4, late: true });
    expect(late.get(4)).toMatchObject({ kind: 'answers', partner: 1, late: true });
    expect(late.get(2)).toEqual({ kind: 'about', partner: 1 });
  });

  it('take progress to the request that it speaks of', () => {
    const progress = row(2, { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }, { direction: 'received' });
    expect(match([ask(1, 1), progress]).get(2)).toEqual({ kind: 'about', partner: 1 });
  });

  it('wait while the connection is open, and no longer than that', () => {
    expect(match([ask(1, 1)]).get(1)).toEqual({ kind: 'waiting' });
    expect(match([ask(1, 1)], true).get(1)).toEqual({ kind: 'never_answered' });
    expect(match([ask(1, 0), ask(2, 0), answer(3, 0)]).get(1)).toEqual({ kind: 'never_answered' });
  });

  it('take an answer that names none for that of the only one that waits', () => {
    const refusal = (number: number) => row(number, null, { direction: 'received', text: 'HTTP 502 Bad Gateway\nno' });
    expect(match([ask(1, 1), refusal(2)]).get(2)).toMatchObject({ kind: 'answers', partner: 1 });
    expect(match([ask(1, 1), ask(2, 2), refusal(3)]).get(3)).toEqual({ kind: 'unasked' });
    const tooLarge = row(2, null, { direction: 'received', text: '', isCut: true });
    expect(match([ask(1, 1), tooLarge]).get(1)).toMatchObject({ kind: 'answered', partner: 2 });
    expect(match([ask(1, 1), row(2, null, { direction: 'received', text: 'ping' })]).get(1)).toEqual({ kind: 'waiting' });
  });

  it('are found in a batch', () => {
    const batch = row(3, [{ jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', id: 2, result: {} }], { direction: 'received' });
    const matches = match([ask(1, 1), ask(2, 2), batch]);
    expect([1, 2].map((number) => matches.get(number)?.kind)).toEqual(['answered', 'answered']);
  });

  it('are partners of each other, whatever passes in whatever order', () => {
    const passed = fc.record({
      type: fc.constantFrom('ask', 'answer', 'cancel'), id: fc.oneof(fc.nat(3), fc.constantFrom('0', '1', 'x')),
      direction: fc.constantFrom<WireDirection>('sent', 'received'), connection: fc.constantFrom(1, 2),
    });
    fc.assert(
      fc.property(fc.array(passed, { maxLength: 60 }), fc.boolean(), (events, over) => {
        const rows = events.map(({ type, id, direction, connection }, index) =>
          type === 'ask' ? ask(index, id, { direction, connection })
          : type === 'answer' ? answer(index, id, { direction, connection })
          : row(index, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }, { direction, connection }));
        const matches = match(rows, over);
        for (const each of rows) {
          const own = matches.get(each.number);
          if (own?.kind === 'answered') expect(matches.get(own.partner)).toMatchObject({ kind: 'answers', partner: each.number });
          if (own?.kind !== 'answers') continue;
          const request = rows[own.partner];
          expect(matches.get(own.partner)).toMatchObject({ kind: 'answered', partner: each.number });
          expect(request).toMatchObject({ kind: 'request', connection: each.connection });
          expect(request?.direction).not.toBe(each.direction);
          expect(String(request?.id)).toBe(String(each.id));
          expect(own.ms).toBeGreaterThanOrEqual(0);
        }
        const answered = rows.flatMap(({ number }) => partnerOfAnswer(matches.get(number)));
        expect(new Set(answered).size).toBe(answered.length);
      }),
    );
  });
});

const partnerOfAnswer = (own: ReturnType<ReturnType<typeof match>['get']>) => (own?.kind === 'answers' ? [own.partner] : []);

describe('a filter of messages', () => {
  const rows = [ask(1, 1), answer(2, 1), ask(3, 2), row(4, { jsonrpc: '2.0', method: 'ping', id: 1 }, { direction: 'received', connection: 2 })];
  const matches = match(rows);
  const shown = (filter: Partial<WireFilter>) =>
    filterMessages(rows, matches, { directions: [], kinds: [], connections: [], method: '', onlyUnanswered: false, ...filter }).map(({ number }) => number);

  it('leaves what fits all of it', () => {
    expect(shown({})).toEqual([1, 2, 3, 4]);
    expect(shown({ directions: ['received'] })).toEqual([2, 4]);
    expect(shown({ kinds: ['request'], connections: [1] })).toEqual([1, 3]);
    expect(shown({ method: ' TOOLS ' })).toEqual([1, 2, 3]);
    expect(shown({ onlyUnanswered: true })).toEqual([3, 4]);
    expect(shown({ onlyUnanswered: true, directions: ['sent'] })).toEqual([3]);
  });

  it('knows the method of an answer by its request', () => {
    expect(methodOf(rows[1] ?? ask(9, 9), matches.get(2))).toBe('tools/call');
    expect(isUnanswered({ kind: 'waiting' })).toBe(true);
  });
});
