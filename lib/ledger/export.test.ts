import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callIds, runIds } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import type { LedgerEntry } from './entry';
import { toCsvHeader, toCsvRecord, toExported } from './export';
import { openEntry } from './fold';

const entry: LedgerEntry = {
  ...openEntry(
    7,
    { callId: callIds.create(), runId: runIds.create(), number: 3, step: null, actorKind: 'person', actorName: 'ana@example.org', serverKey: toServerKey('fs'), tool: 'read', exposedName: 'fs__read', plumbing: false, policy: null, arguments: null },
    1000,
  ),
  outcome: 'ok', sentAt: 1100, finishedAt: 2500, attempts: 1,
};

const NOTHING = { arguments: null, result: null };

/** RFC 4180 back into records. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const record: string[] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') records.push(record.splice(0));
  }
  return records;
}

describe('an exported entry', () => {
  it('has the members of the contract', () => {
    const exported = toExported(entry, { arguments: { a: 1 }, result: null });
    expect(Object.keys(exported)).toEqual([
      'entry_id', 'sequence', 'run_id', 'step', 'actor', 'server', 'tool', 'exposed_name', 'arguments', 'outcome', 'ok', 'error', 'result',
      'requested_at', 'sent_at', 'finished_at', 'duration_ms', 'attempts',
    ]);
    expect(exported).toMatchObject({ entry_id: 'ev_0003', ok: true, requested_at: '1970-01-01T00:00:01.000Z', duration_ms: 1500, arguments: { a: 1 } });
  });

  it('is a record of RFC 4180, whatever its texts hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', ' ', "'", ';') }), (tool) => {
        const [header, record] = parseCsv(toCsvHeader() + toCsvRecord(toExported({ ...entry, tool }, NOTHING), NOTHING));
        expect(record).toHaveLength(header!.length);
        expect([tool, `'${tool}`]).toContain(record![header!.indexOf('tool')]);
      }),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '|calc'])('is never a formula: %j', (tool) => {
    const [header, record] = parseCsv(toCsvHeader() + toCsvRecord(toExported({ ...entry, tool }, NOTHING), NOTHING));
    expect(record![header!.indexOf('tool')]).toBe(`'${tool}`);
  });

  it('says in CSV what was cut', () => {
    expect(toCsvRecord(toExported(entry, NOTHING), { ...NOTHING, result: { head: 'x'.repeat(50_000), characters: 100_002 } })).toContain('(cut: 100002 characters in all)');
  });
});
