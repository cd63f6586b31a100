import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toConsoleError, type Outcome } from '@/lib/calls';
import { callIds, runIds } from '@/lib/core';
import { openTestLedger, type TestLedger } from '../../ledger/node/testing';
import { toRunStanding, withoutFailureContents } from '..';
import { RunReader } from './run-reader';

let ledger: TestLedger;
let runs: RunReader;

beforeEach(() => {
  ledger = openTestLedger({ secrets: ['hunter2-secret'] });
  runs = new RunReader(ledger);
});
afterEach(() => ledger.close());

function addCall(tool: string, outcome: Outcome, message: string | null, sent = true, runId = ledger.runId): number {
  const { sequence } = ledger.writer.open({ ...ledger.toOpening(), callId: callIds.create(), tool, runId });
  if (sent) ledger.writer.append(sequence, { type: 'call.sent', at: 1, attempt: 1, era: 'modern', argumentsSent: null });
  const error = message === null ? null : { ...toConsoleError('timeout', message, { serverKey: 'fs', tool }), code: outcome === 'tool_error' ? 'own_code' : 'timeout' };
  ledger.writer.append(sequence, { type: 'call.finished', at: 2, outcome, error, result: null });
  return sequence;
}

describe('the header of a run', () => {
  it('lists each distinct failure once, the newest first, with its count, its remedy and its newest entry', () => {
    addCall('read', 'ok', null);
    addCall('read', 'timeout', 'It was slow.');
    addCall('list', 'tool_error', 'No hunter2-secret here.');
    const last = addCall('read', 'timeout', 'It was slow.');
    addCall('read', 'not_sent', 'It rests.', false);
    const header = runs.findHeader(ledger.runId);
    expect(header?.failures.map(({ tool, code, message, count }) => [tool, code, message, count])).toEqual([
      ['read', 'timeout', 'It rests.', 1],
      ['read', 'timeout', 'It was slow.', 2],
      ['list', 'own_code', expect.not.stringContaining('hunter2'), 1],
    ]);
    expect(header?.failures[1]).toMatchObject({ lastSequence: last, remediationBy: 'console', remediation: expect.stringContaining('Give it longer') as string, outcome: 'timeout' });
    expect(header?.outcomes).toEqual(
      expect.arrayContaining([{ outcome: 'timeout', sent: true, count: 2 }, { outcome: 'not_sent', sent: false, count: 1 }, { outcome: 'ok', sent: true, count: 1 }]),
    );
    expect(header).toMatchObject({ run: { entryCount: 5, actorName: 'ana@example.org' }, moreFailures: false, newestOnly: null });
    expect(withoutFailureContents(header!).failures[2]).toMatchObject({ code: 'tool_failed', message: null, remediation: null });
  });

  it('keeps the calls of other runs out, and says that there is no such run', () => {
    const other = ledger.runs.sessionRun('other', { kind: 'cli', name: 'cli:ana' });
    addCall('read', 'timeout', 'Elsewhere.', true, other);
    expect(runs.findHeader(ledger.runId)).toMatchObject({ failures: [], outcomes: [] });
    expect(runs.findHeader(runIds.create())).toBeUndefined();
  });

  it('lists many failures up to a page', () => {
    for (let n = 0; n < 110; n += 1) addCall('read', 'tool_error', `Number ${n}.`);
    expect(runs.findHeader(ledger.runId)).toMatchObject({ moreFailures: true, failures: { length: 100 } });
  });
});

describe('the list of runs', () => {
  it('has those with calls, newest first, page by page', () => {
    const ids = Array.from({ length: 5 }, (_, n) => ledger.runs.sessionRun(`run ${n}`, { kind: 'cli', name: 'cli:ana' }));
    for (const id of ids) addCall('read', 'ok', null, true, id);
    const first = runs.list({ before: null, limit: 3 });
    expect(first.rows.map(({ id }) => id)).toEqual([ids[4], ids[3], ids[2]]);
    expect(first.rows[0]).toMatchObject({ entryCount: 1, lastCallAt: expect.any(Number) as number });
    expect(runs.list({ before: first.next, limit: 3 })).toMatchObject({ rows: [{ id: ids[1] }, { id: ids[0] }], next: null });
  });
});

describe('how a run stands', () => {
  it.each<[Outcome, boolean, string]>([
    ['sent', true, 'running'], ['queued', false, 'running'], ['unknown', true, 'not_known'], ['timeout', true, 'not_known'],
    ['interrupted', false, 'failures'], ['not_sent', false, 'failures'], ['tool_error', true, 'failures'], ['ok', true, 'well'],
  ])('with a call that is %s (sent: %s) is %s', (outcome, sent, standing) => {
    expect(toRunStanding([{ outcome: 'ok', sent: true, count: 3 }, { outcome, sent, count: 1 }])).toBe(standing);
  });

  it('is empty without a call', () => {
    expect(toRunStanding([])).toBe('empty');
  });
});
