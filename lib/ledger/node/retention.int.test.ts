import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '@/lib/audit/node';
import { EMPTY_LEDGER_FILTER } from '..';
import { LedgerRetention } from './retention';
import { openTestLedger, type TestLedger } from './testing';

const DAY_MS = 24 * 60 * 60 * 1000;
const signal = new AbortController().signal;
const admin = { kind: 'person', name: 'root@example.org' } as const;

let ledger: TestLedger;
let now: number;
let audit: AuditLog;
let retention: LedgerRetention;
const heldElsewhere = new Set<string>();
beforeEach(() => {
  ledger = openTestLedger();
  now = Date.now();
  heldElsewhere.clear();
  const clock = { now: () => now };
  audit = new AuditLog({ database: ledger.database, clock });
  retention = new LedgerRetention({ database: ledger.database, blobs: ledger.blobs, audit, clock, isHeldElsewhere: (sha256) => heldElsewhere.has(sha256) });
});
afterEach(() => {
  ledger.close();
});

async function record(text = 'x', finished = true): Promise<number> {
  const { sequence } = ledger.writer.open(ledger.toOpening({}, { word: 'common' }));
  const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text }] });
  if (finished) ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result });
  return sequence;
}

const listed = () => ledger.reader.list({ ...EMPTY_LEDGER_FILTER, plumbing: true }, { before: null, limit: 500 }).rows.map(({ sequence }) => sequence);
const save = (days: number | null, entries: number | null) => retention.save({ days, entries }, audit.writerFor(admin));
const count = (table: string) => ledger.database.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const blobFile = (sha256: string) => join(ledger.directory, sha256.slice(0, 2), sha256.slice(2));

describe('retention', () => {
  it('keeps everything unless it is told otherwise', async () => {
    await record();
    now += 10_000 * DAY_MS;
    expect(await retention.apply(signal)).toBe(0);
    expect(retention.read()).toEqual({ days: null, entries: null });
  });

  it('deletes what is beyond the newest so many, in batches, and leaves tombstones', async () => {
    for (let n = 0; n < 250; n += 1) await record();
    ledger.writer.indexTexts();
    save(null, 20);
    expect(await retention.apply(signal)).toBe(230);
    expect(listed()).toEqual(Array.from({ length: 20 }, (_, index) => 250 - index));
    expect(count('ledger_texts')).toBe(20);
    expect(ledger.reader.find(1)).toBeUndefined();
    expect(retention.findTombstones(230)).toMatchObject([{ runId: ledger.runId, deletedAt: now, actorName: 'console', reason: expect.stringContaining('newest 20') as string }]);
    expect(retention.findTombstones(231)).toEqual([]);
    expect(retention.listTombstones(10).reduce((sum, { entryCount }) => sum + entryCount, 0)).toBe(230);
    const types = audit.list({ before: null, limit: 10 }).records.map(({ type, actorName }) => [type, actorName]);
    expect(types).toEqual([['ledger.deleted', 'console'], ['ledger.retention_changed', 'root@example.org']]);
    const { sequence } = ledger.writer.open(ledger.toOpening());
    expect(sequence).toBe(251);
  });

  it('deletes what is older than so many days, but no call that goes on', async () => {
    await record();
    const running = await record('y', false);
    now += 8 * DAY_MS;
    save(7, null);
    expect(await retention.apply(signal)).toBe(1);
    expect(listed()).toEqual([running]);
  });

  it('removes blobs that nothing holds any more, and no others', async () => {
    const [large, shared, other] = ['only here '.repeat(20_000), 'twice '.repeat(20_000), 'a sample '.repeat(20_000)];
    const sequences = [await record(large), await record(shared), await record(other), await record(shared)];
    const [one, two, three] = sequences.slice(0, 3).map((sequence) => {
      const result = ledger.reader.find(sequence)?.result;
      if (result?.kind !== 'blob') throw new Error('not in the blob store');
      return result.sha256;
    });
    heldElsewhere.add(three!);
    save(null, 1);
    expect(await retention.apply(signal)).toBe(3);
    // Stored a moment ago: whoever stored it may be about to put it on an entry.
    expect(existsSync(blobFile(one!))).toBe(true);
    now += 2 * 60 * 60 * 1000;
    await retention.apply(signal);
    expect([one, two, three].map((sha256) => existsSync(blobFile(sha256!)))).toEqual([false, true, true]);
    const left = ledger.reader.find(sequences[3]!)?.result;
    expect(JSON.parse(await ledger.reader.payload(left!))).toEqual({ content: [{ type: 'text', text: shared }] });
  });

  it('is the only way that evidence goes', async () => {
    const sequence = await record();
    const { sqlite } = ledger.database;
    expect(() => sqlite.prepare('DELETE FROM ledger_events WHERE entry_sequence = ?').run(sequence)).toThrow('append-only');
    expect(() => sqlite.prepare('DELETE FROM ledger_entries WHERE sequence = ?').run(sequence)).toThrow('tombstone');
    save(null, 1);
    await record();
    await retention.apply(signal);
    expect(() => sqlite.exec('DELETE FROM ledger_tombstones')).toThrow('append-only');
    expect(() => sqlite.exec('UPDATE ledger_tombstones SET entry_count = 0')).toThrow('append-only');
    expect(() => sqlite.prepare('DELETE FROM ledger_events WHERE entry_sequence = ?').run(sequence + 1)).toThrow('append-only');
  });
});
