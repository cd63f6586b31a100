import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { Redactor } from '@/lib/core';
import type { Verdict } from '..';
import { ChangeInbox } from './change-inbox';
import { VerdictHistory } from './history';

let database: Database;
let inbox: ChangeInbox;
beforeEach(() => {
  database = openTestDatabase();
  inbox = new ChangeInbox({ database });
  const history = new VerdictHistory({ database, redactor: new Redactor() });
  const states: Verdict['state'][] = ['failing', 'connected', 'failing', 'resting'];
  for (const [index, state] of states.entries()) {
    history.record({ serverKey: index % 2 === 0 ? 'a' : 'b', at: index, source: 'check', state, ok: null, latencyMs: null, code: null, message: null, remediation: null });
  }
  history.record({ serverKey: 'a', at: 9, source: 'check', state: 'idle', ok: null, latencyMs: null, code: null, message: null, remediation: null });
});
afterEach(() => database.close());

const ANA = 'ana@example.org';
const BO = 'bo@example.org';
const idsOf = (person: string, more: Partial<Parameters<ChangeInbox['list']>[1]> = {}) => inbox.list(person, { before: null, limit: 10, ...more }).items.map(({ id }) => id);

it('lists changes newest first, page by page, for one server or all', () => {
  expect(idsOf(ANA)).toEqual([3, 2, 1]);
  expect(inbox.list(ANA, { before: null, limit: 2 })).toMatchObject({ more: true, items: [{ id: 3, serverKey: 'a', to: 'idle' }, { id: 2 }] });
  expect(idsOf(ANA, { before: 2 })).toEqual([1]);
  expect(idsOf(ANA, { server: 'b' })).toEqual([2]);
  expect(inbox.servers()).toEqual(['a', 'b']);
});

it('keeps for each person what they have read', () => {
  inbox.mark(ANA, [2], true);
  inbox.mark(ANA, [2], true);
  expect(idsOf(ANA, { unreadOnly: true })).toEqual([3, 1]);
  expect(inbox.countUnread(ANA)).toBe(2);
  expect(inbox.countUnread(BO)).toBe(3);
  inbox.markAll(ANA, 2);
  expect(idsOf(ANA, { unreadOnly: true })).toEqual([3]);
  inbox.mark(ANA, [1, 2], false);
  expect(inbox.countUnread(ANA)).toBe(3);
});
