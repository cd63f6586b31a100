import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Outcome } from '@/lib/calls';
import { toServerKey } from '@/lib/servers';
import { openTestLedger, type TestLedger } from '../../ledger/node/testing';
import { CallShares } from './call-shares';

let ledger: TestLedger;
let now = Date.now();
const signal = new AbortController().signal;
beforeEach(() => {
  ledger = openTestLedger();
  now = Date.now();
});
afterEach(() => ledger.close());

const begin = (key: string, plumbing = false) => ledger.writer.open(ledger.toOpening({ serverKey: toServerKey(key), plumbing })).sequence;
function end(sequence: number, outcome: Outcome, sent = true): void {
  if (sent) ledger.writer.append(sequence, { type: 'call.sent', at: Date.now(), attempt: 1, era: 'modern', argumentsSent: null });
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome, error: null, result: null });
}

it('counts the calls of the last day by how they ended, the console’s own left out', async () => {
  end(begin('files'), 'ok');
  end(begin('files'), 'tool_error');
  end(begin('files'), 'timeout');
  end(begin('files'), 'cancelled', false);
  end(begin('files', true), 'tool_error');
  const open = begin('other');
  const shares = new CallShares({ database: ledger.database, clock: { now: () => now } });
  expect(shares.find('files').ended).toBe(0);
  await shares.refresh(signal);
  expect(shares.find('files')).toEqual({ ended: 3, failed: 1, unknown: 1 });
  expect(shares.find('other').ended).toBe(0);
  end(open, 'ok');
  await shares.refresh(signal);
  expect(shares.find('other').ended).toBe(0);
  now += 30 * 60_000;
  await shares.refresh(signal);
  expect(shares.find('other').ended).toBe(1);
  now += 25 * 3_600_000;
  await shares.refresh(signal);
  expect(shares.find('files').ended).toBe(0);
});

it('stops where the process ends', async () => {
  end(begin('files'), 'ok');
  const shares = new CallShares({ database: ledger.database });
  const leaving = new AbortController();
  const counted = shares.refresh(leaving.signal);
  leaving.abort();
  await counted;
  expect(shares.find('files').ended).toBe(0);
});
