import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditLog } from '@/lib/audit/node';
import { EMPTY_LEDGER_FILTER } from '..';
import { LedgerRetention } from './retention';
import { RetentionJob } from './retention-job';
import { openTestLedger, type TestLedger } from './testing';

const DAY_MS = 24 * 60 * 60 * 1000;

let ledger: TestLedger;
let now: number;
let audit: AuditLog;
let retention: LedgerRetention;
const jobs: RetentionJob[] = [];
beforeEach(() => {
  ledger = openTestLedger();
  now = Date.now();
  audit = new AuditLog({ database: ledger.database, clock: { now: () => now } });
  retention = new LedgerRetention({ database: ledger.database, blobs: ledger.blobs, audit, clock: { now: () => now } });
});
afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.close()));
  ledger.close();
});

function startJob(options: Partial<ConstructorParameters<typeof RetentionJob>[0]> = {}): RetentionJob {
  const job = new RetentionJob({ retention, onFailed: (error) => expect.unreachable(String(error)), ...options });
  jobs.push(job);
  return job;
}

async function record(text: string): Promise<number> {
  const { sequence } = ledger.writer.open(ledger.toOpening());
  const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text }] });
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result });
  return sequence;
}

const listed = () => ledger.reader.list(EMPTY_LEDGER_FILTER, { before: null, limit: 500 }).rows.map(({ sequence }) => sequence);
const save = (days: number | null, entries: number | null) => retention.save({ days, entries }, audit.writerFor({ kind: 'person', name: 'root@example.org' }));

describe('the standing job of the retention', () => {
  it('deletes by age, never a call that goes on, keeps what is still held, and leaves who, when and how much', async () => {
    const large = 'a large answer '.repeat(20_000);
    const [old, alsoOld] = [await record(large), await record('x')];
    const open = ledger.writer.open(ledger.toOpening()).sequence;
    now += 8 * DAY_MS;
    const young = await record(large);
    ledger.database.sqlite.prepare('UPDATE ledger_entries SET requested_at = ? WHERE sequence = ?').run(now, young);
    save(7, null);
    startJob().wake();
    await expect.poll(listed).toEqual([young, open]);
    for (const sequence of [old, alsoOld]) {
      expect(retention.findTombstones(sequence)).toMatchObject([{ runId: ledger.runId, entryCount: 2, actorName: 'console', deletedAt: now }]);
    }
    expect(retention.findTombstones(open)).toEqual([]);
    now += DAY_MS;
    await retention.apply(new AbortController().signal);
    const result = ledger.reader.find(young)?.result;
    expect(JSON.parse(await ledger.reader.payload(result!))).toEqual({ content: [{ type: 'text', text: large }] });
    expect(ledger.reader.find(open)?.outcome).toBe('requested');
  });

  it('passes again and again, one pass at a time, and once more for what it was woken for meanwhile', async () => {
    let running = 0;
    let most = 0;
    let passes = 0;
    const apply = vi.fn(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      passes += 1;
      return 0;
    });
    const job = startJob({ retention: { apply }, everyMs: 20 });
    for (let n = 0; n < 5; n += 1) job.wake();
    await expect.poll(() => passes).toBeGreaterThanOrEqual(4);
    expect(most).toBe(1);
    await job.close();
    const ended = apply.mock.calls.length;
    job.wake();
    expect(apply.mock.calls.length).toBe(ended);
  });

  it('goes on after a pass that failed, and tells of it', async () => {
    const onFailed = vi.fn();
    const apply = vi.fn(() => Promise.reject(new Error('the disk is full')));
    const job = startJob({ retention: { apply }, onFailed });
    job.wake();
    await expect.poll(() => onFailed.mock.calls.length).toBe(1);
    job.wake();
    await expect.poll(() => onFailed.mock.calls.length).toBe(2);
  });
});
