import { expect, it } from 'vitest';
import type { LedgerEvent } from '@/lib/ledger';
import { CallRecord } from './call-record';

it('keeps a bounded number of short notes of a server that floods, and says how many it left out', async () => {
  const written: LedgerEvent[] = [];
  let now = 0;
  const record = new CallRecord(1, {
    clock: { now: () => now },
    writer: {
      append: (_sequence, ...events) => written.push(...events),
      commit: () => undefined,
      stored: () => Promise.resolve(),
      payloads: { store: () => Promise.reject(new Error('nothing is stored here')) },
    },
  });
  record.sent('legacy');
  for (let count = 0; count < 100_000; count += 1) {
    now += 1;
    record.noted({ at: now, kind: count % 2 === 0 ? 'log' : 'progress', text: 'x'.repeat(10_000), progress: count, total: null });
  }
  await record.finished('ok', null, null);
  const notes = written.filter(({ type }) => type === 'call.progressed');
  expect(notes.length).toBeLessThanOrEqual(501);
  expect(JSON.stringify(notes).length).toBeLessThan(3_000_000);
  expect(record.warnings).toEqual([expect.stringMatching(/^\d+ further notes/)]);
});
