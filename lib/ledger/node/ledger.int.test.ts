import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toConsoleError } from '@/lib/calls';
import { callIds, runIds } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import { toServerKey } from '@/lib/servers';
import { EMPTY_LEDGER_FILTER, INLINE_PAYLOAD_BYTES, type LedgerFilter } from '..';
import { openTestLedger, spawnWriter, type TestLedger } from './testing';

let ledger: TestLedger;
beforeEach(() => {
  ledger = openTestLedger({ secrets: ['hunter2-secret', '48151623'] });
});
afterEach(() => {
  ledger.close();
});

const all = { ...EMPTY_LEDGER_FILTER, plumbing: true };

function finish(sequence: number, outcome: 'ok' | 'timeout' = 'ok'): void {
  ledger.writer.append(
    sequence,
    { type: 'call.sent', at: Date.now(), attempt: 1, era: 'modern', argumentsSent: null },
    { type: 'call.finished', at: Date.now(), outcome, error: null, result: null },
  );
}

describe('the writer', () => {
  it('numbers entries in their run and gives the same call the same entry', () => {
    const callId = callIds.create();
    const first = ledger.writer.open(ledger.toOpening({ callId }));
    const again = ledger.writer.open(ledger.toOpening({ callId, tool: 'other' }));
    const second = ledger.writer.open(ledger.toOpening());
    expect(first).toMatchObject({ entryId: 'ev_0001', existed: false });
    expect(again).toMatchObject({ sequence: first.sequence, entryId: 'ev_0001', existed: true });
    expect(second.entryId).toBe('ev_0002');
    expect(ledger.reader.list(all, { before: null, limit: 10 }).rows.map(({ tool }) => tool)).toEqual(['read', 'read']);
  });

  it('refuses a call of a run that does not exist, and writes nothing', () => {
    const opening = { ...ledger.toOpening(), runId: runIds.create() };
    expect(() => ledger.writer.open(opening)).toThrow('does not exist');
    expect(ledger.reader.newestCursor()).toBe(0);
  });

  it('tells the bus of each change, scrubbed', () => {
    const messages: LiveMessage[] = [];
    ledger.bus.subscribe((message) => messages.push(message));
    const { sequence } = ledger.writer.open(ledger.toOpening());
    const error = toConsoleError('protocol_error', 'refused: Bearer abcdefghijklmnop', { serverKey: 'fs', tool: 'read' });
    ledger.writer.append(sequence, { type: 'call.finished', at: 1, outcome: 'protocol_error', error, result: null });
    expect(messages).toMatchObject([{ type: 'ledger.row', row: { outcome: 'requested' } }, { type: 'ledger.row', row: { outcome: 'protocol_error', errorMessage: 'refused: Bearer [redacted]' } }]);
    // The entry itself keeps what was said.
    expect(ledger.reader.find(sequence)?.error?.message).toBe('refused: Bearer abcdefghijklmnop');
  });

  it("keeps everything but the vault's values, numbers among them", async () => {
    const { sequence } = ledger.writer.open(ledger.toOpening({}, { password: 'hunter2-secret', nested: [{ pin: 48151623, other: 1234 }] }));
    const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text: 'it is hunter2-secret' }] });
    ledger.writer.append(sequence, { type: 'call.warned', at: 1, warning: 'saw hunter2-secret' }, { type: 'call.finished', at: 2, outcome: 'ok', error: null, result });
    const entry = ledger.reader.find(sequence);
    expect(JSON.parse(await ledger.reader.payload(entry!.arguments!))).toEqual({ password: '[redacted]', nested: [{ pin: '[redacted]', other: 1234 }] });
    expect(JSON.stringify(entry)).not.toContain('hunter2');
    expect(JSON.stringify(ledger.database.sqlite.prepare('SELECT event FROM ledger_events').all())).not.toContain('hunter2');
  });

  it('keeps a 50 MB result whole, with a bounded preview, while other work goes on', async () => {
    const text = 'line of a large answer, ü\n'.repeat(2_000_000);
    const { sequence } = ledger.writer.open(ledger.toOpening());
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text }] });
    clearInterval(ticking);
    ledger.writer.append(sequence, { type: 'call.finished', at: 2, outcome: 'ok', error: null, result });
    expect(turns).toBeGreaterThan(5);
    const kept = ledger.reader.find(sequence)?.result;
    if (kept?.kind !== 'blob') throw new Error('not in the blob store');
    expect(kept.sizeBytes).toBeGreaterThan(50_000_000);
    expect(kept.preview.length).toBeLessThan(40_000);
    expect(JSON.parse(await ledger.reader.payload(kept))).toEqual({ content: [{ type: 'text', text }] });
    let streamed = 0;
    for await (const piece of ledger.reader.streamPayload(kept)) streamed += (piece as Buffer).byteLength;
    expect(streamed).toBe(kept.sizeBytes);
    expect(ledger.reader.list(all, { before: null, limit: 1 }).rows[0]?.resultBytes).toBe(kept.sizeBytes);
    expect(readdirSync(`${ledger.directory}/incoming`)).toEqual([]);
  });

  it('keeps a payload of the limit in the row and the next larger one as a blob', async () => {
    const text = 'x'.repeat(INLINE_PAYLOAD_BYTES - 2);
    expect((await ledger.writer.payloads.store(text)).kind).toBe('inline');
    expect((await ledger.writer.payloads.store(`${text}y`)).kind).toBe('blob');
    expect((await ledger.writer.payloads.store('ü'.repeat(INLINE_PAYLOAD_BYTES / 2))).kind).toBe('blob');
  });
});

describe('after a crash', () => {
  it('calls of a killed process read interrupted, with whether they had been sent; those of a live one are left', async () => {
    const child = spawnWriter(
      ledger,
      `const sent = open('was_sent');
       writer.append(sent, { type: 'call.sent', at: Date.now(), attempt: 1, era: 'legacy', argumentsSent: null });
       open('was_not');
       await say('ready');
       await new Promise((resolve) => setTimeout(resolve, 60_000));`,
    );
    const own = ledger.writer.open(ledger.toOpening({ tool: 'own' }));
    await once(createInterface({ input: child.stdout! }), 'line');
    expect(ledger.writer.interruptAbandoned()).toBe(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(ledger.writer.interruptAbandoned()).toBe(2);
    expect(ledger.writer.interruptAbandoned()).toBe(0);
    const rows = new Map(ledger.reader.list(all, { before: null, limit: 10 }).rows.map((row) => [row.tool, row]));
    expect(rows.get('was_sent')).toMatchObject({ outcome: 'interrupted', errorCode: 'interrupted', errorMessage: expect.stringContaining('may have been carried out') as string });
    expect(rows.get('was_not')).toMatchObject({ outcome: 'interrupted', sentAt: null, errorMessage: expect.stringContaining('was not carried out') as string });
    expect(ledger.reader.find(own.sequence)?.outcome).toBe('requested');
  });
});

describe('the reader', () => {
  it('pages newest first by any combination of filters', () => {
    const sequences = Array.from({ length: 30 }, (_, index) => {
      const { sequence } = ledger.writer.open(
        ledger.toOpening({ serverKey: toServerKey(index % 2 ? 'fs' : 'web'), tool: `t${index % 3}`, plumbing: index % 5 === 0, actorKind: index % 5 === 0 ? 'console' : 'person' }),
      );
      finish(sequence, index % 4 === 0 ? 'timeout' : 'ok');
      return sequence;
    });
    const filters: Partial<LedgerFilter>[] = [
      {}, { plumbing: true }, { serverKeys: [toServerKey('fs')] }, { serverKeys: [toServerKey('fs'), toServerKey('web')], tools: ['t0', 't2'] },
      { outcomes: ['timeout'], tools: ['t1'], plumbing: true }, { actorKinds: ['console'], plumbing: true }, { actorName: 'ana@example.org' },
      { runId: ledger.runId, outcomes: ['ok', 'timeout'] }, { fromAt: 0, toAt: Date.now() + 1 }, { toAt: 5 }, { serverKeys: [toServerKey('nobody')] },
    ];
    const everything = ledger.reader.list(all, { before: null, limit: 100 }).rows;
    expect(everything.map(({ sequence }) => sequence)).toEqual([...sequences].reverse());
    for (const part of filters) {
      const filter = { ...EMPTY_LEDGER_FILTER, ...part };
      const expected = everything.filter(
        (row) =>
          (filter.plumbing || !row.plumbing) &&
          (filter.serverKeys.length === 0 || filter.serverKeys.includes(row.serverKey)) &&
          (filter.tools.length === 0 || filter.tools.includes(row.tool)) &&
          (filter.outcomes.length === 0 || filter.outcomes.includes(row.outcome)) &&
          (filter.actorKinds.length === 0 || filter.actorKinds.includes(row.actorKind)) &&
          (filter.toAt === null || row.requestedAt < filter.toAt),
      );
      const paged: number[] = [];
      for (let before: number | null = null, more = true; more; ) {
        const page = ledger.reader.list(filter, { before, limit: 4 });
        paged.push(...page.rows.map(({ sequence }) => sequence));
        before = page.rows.at(-1)?.sequence ?? null;
        more = page.more;
      }
      expect(paged, JSON.stringify(part)).toEqual(expected.map(({ sequence }) => sequence));
    }
  });

  it('names what the ledger holds', () => {
    expect(ledger.reader.facets()).toEqual({ serverKeys: [], tools: [], actorNames: [], actorKinds: [], errorCodes: [] });
    ledger.writer.open(ledger.toOpening({ tool: 'b' }));
    ledger.writer.open(ledger.toOpening({ tool: 'a', serverKey: toServerKey('web') }));
    expect(ledger.reader.facets()).toEqual({ serverKeys: ['fs', 'web'], tools: ['a', 'b'], actorNames: ['ana@example.org'], actorKinds: ['person'], errorCodes: [] });
  });
});
