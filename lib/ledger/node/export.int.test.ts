import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toIso } from '@/lib/core';
import { EMPTY_LEDGER_FILTER, type ExportedEntry } from '..';
import { exportEntries, type ExportOptions } from './export';
import { openTestLedger, type TestLedger } from './testing';

let ledger: TestLedger;
beforeEach(() => {
  ledger = openTestLedger();
});
afterEach(() => {
  ledger.close();
});

const signal = new AbortController().signal;

async function record(text: string, args = { path: '/f' }): Promise<number> {
  const { sequence } = ledger.writer.open(ledger.toOpening({}, args));
  const result = await ledger.writer.payloads.store({ content: [{ type: 'text', text }] });
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result });
  return sequence;
}

async function read(options: Partial<ExportOptions> = {}, filter = EMPTY_LEDGER_FILTER): Promise<string> {
  let text = '';
  for await (const piece of exportEntries({ reader: ledger.reader, redactor: ledger.redactor, format: 'jsonl', seesContents: true, ...options }, filter, signal)) text += piece;
  return text;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // what the flag exposes

/** What is held once the collector has run, in bytes. */
function measureHeld(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A result of many lines with one secret among them, stored without ever being held whole. */
async function recordLarge(line: string, secret: string, repeats: number): Promise<void> {
  const { sequence } = ledger.writer.open(ledger.toOpening());
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  async function* toBytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{"content":[{"type":"text","text":"${inner(secret)}`);
    for (let n = 0; n < repeats; n += 1000) yield Buffer.from(inner(line.repeat(Math.min(1000, repeats - n))));
    yield Buffer.from('"}]}');
  }
  const blob = await ledger.blobs.put(toBytes());
  ledger.writer.append(sequence, { type: 'call.finished', at: Date.now(), outcome: 'ok', error: null, result: { kind: 'blob', ...blob, preview: '{}' } });
}

/** What the line of that entry must be, from what stands before its result. */
function hashOfLine(lead: string, line: string, repeats: number): string {
  const hash = createHash('sha256').update(`${lead}"result":{"content":[{"type":"text","text":"Authorization: Bearer [redacted] `);
  for (let n = 0; n < repeats; n += 1000) hash.update(line.repeat(Math.min(1000, repeats - n)));
  const { requestedAt, finishedAt } = ledger.reader.find(1)!;
  const tail = { requested_at: toIso(requestedAt), sent_at: null, finished_at: toIso(finishedAt!), duration_ms: finishedAt! - requestedAt, attempts: 0 };
  return hash.update(`"}]},${JSON.stringify(tail).slice(1)}\n`).digest('hex');
}

const parse = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as ExportedEntry);

describe('an export', () => {
  it('holds every entry of the filter once, over many batches, newest first', async () => {
    for (let n = 0; n < 250; n += 1) ledger.writer.open(ledger.toOpening({ tool: n % 2 === 0 ? 'a' : 'b' }));
    const sequences = parse(await read({}, { ...EMPTY_LEDGER_FILTER, tools: ['a'] })).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: 125 }, (_, index) => 249 - 2 * index));
  });

  it('holds large results whole', async () => {
    const text = 'a line of a large answer, ü\n'.repeat(20_000);
    await record(text);
    expect(parse(await read())[0]?.result).toEqual({ content: [{ type: 'text', text }] });
  });

  it('holds a result of 50 MB whole, in little memory, and splits no character', { timeout: 120_000 }, async () => {
    const line = 'a line of a very large answer, é and 😀: ';
    const secret = 'Authorization: Bearer abcdefghijklmnopqrst ';
    const repeats = Math.ceil((50 * 1024 * 1024) / Buffer.byteLength(line));
    await recordLarge(line, secret, repeats);
    for (const format of ['jsonl', 'csv'] as const) {
      const hash = createHash('sha256');
      let pieces = 0;
      let largest = 0;
      let text = '';
      const before = measureHeld();
      let most = 0;
      for await (const piece of exportEntries({ reader: ledger.reader, redactor: ledger.redactor, format, seesContents: true }, EMPTY_LEDGER_FILTER, signal)) {
        pieces += 1;
        largest = Math.max(largest, piece.length);
        hash.update(Buffer.from(piece, 'utf8'));
        if (text.length < 100_000) text += piece;
        if (pieces % 20 === 0) most = Math.max(most, measureHeld() - before);
      }
      expect(most).toBeLessThan(24 * 1024 * 1024);
      expect(text).not.toContain('abcdefghijklmnopqrst');
      if (format === 'csv') continue;
      expect(pieces).toBeGreaterThan(50);
      expect(largest).toBeLessThan(2 * 1024 * 1024);
      expect(hash.digest('hex')).toBe(hashOfLine(text.slice(0, text.indexOf('"result":')), line, repeats));
    }
  });

  it('is scrubbed of what is shaped like a secret and of fields with a secret name', async () => {
    await record('Authorization: Bearer abcdefghijklmnopqrst and https://x.example/f?X-Amz-Signature=deadbeefdeadbeef', { path: '/f', password: 'canary-7' } as { path: string });
    for (const format of ['jsonl', 'csv'] as const) {
      const text = await read({ format });
      expect(text).not.toMatch(/abcdefghijklmnopqrst|deadbeef|canary-7/);
      expect(text).toContain('[redacted]');
    }
  });

  it('holds no arguments, results or words of servers for those who may not see them', async () => {
    await record('the answer');
    expect(parse(await read({ seesContents: false }))[0]).toMatchObject({ arguments: null, result: null });
    expect(await read({ seesContents: false, format: 'csv' })).not.toMatch(/the answer|\/f/);
  });

  it('reads no further than its reader takes, and not at all once it may not', async () => {
    for (let n = 0; n < 300; n += 1) ledger.writer.open(ledger.toOpening());
    let found = 0;
    const reader = {
      list: ledger.reader.list.bind(ledger.reader), streamPayload: ledger.reader.streamPayload.bind(ledger.reader),
      find: (sequence: number) => { found += 1; return ledger.reader.find(sequence); },
    };
    let count = 0;
    for await (const _line of exportEntries({ reader, redactor: ledger.redactor, format: 'jsonl', seesContents: true }, EMPTY_LEDGER_FILTER, signal)) if ((count += 1) === 5) break;
    expect(found).toBe(5);
    await expect(read({ requireAllowed: () => Promise.reject(new Error('no longer')) })).rejects.toThrow('no longer');
  });

  it('is a header and a record for each entry in CSV', async () => {
    await record('say "hi",\nthen go');
    const text = await read({ format: 'csv' });
    expect(text.startsWith('entry_id,sequence,run_id,')).toBe(true);
    expect(text).toContain('""say \\""hi\\"",\\nthen go""');
    expect(text.endsWith('\r\n')).toBe(true);
  });
});
