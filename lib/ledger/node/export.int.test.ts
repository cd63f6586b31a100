import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
      list: ledger.reader.list.bind(ledger.reader), payload: ledger.reader.payload.bind(ledger.reader),
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
