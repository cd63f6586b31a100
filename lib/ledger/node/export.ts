import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json, Redactor } from '@/lib/core';
import { toCsvHeader, toCsvRecord, toExported, withoutContents, type ExportFormat, type LedgerEntry, type LedgerFilter, type StoredPayload } from '..';
import type { LedgerReader } from './reader';

export interface ExportOptions {
  readonly reader: Pick<LedgerReader, 'list' | 'find' | 'payload'>;
  readonly redactor: Pick<Redactor, 'value'>;
  readonly format: ExportFormat;
  readonly seesContents: boolean;
  /** Asked before each batch: whether whoever reads may go on. @throws where not, which breaks the export off */
  readonly requireAllowed?: () => Promise<void>;
}

const BATCH_ENTRIES = 100;
/** What is handed on at once, in characters, so that a large result waits for its reader. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * The entries of a filter, newest first, as JSONL or CSV. They are read as they are taken: what is held is one
 * batch of rows and one entry with its payloads. Everything passes the redactor.
 */
export async function* exportEntries(options: ExportOptions, filter: LedgerFilter, signal: AbortSignal): AsyncGenerator<string> {
  const { reader, format, requireAllowed } = options;
  if (format === 'csv') yield toCsvHeader();
  let before: number | null = null;
  for (let more = true; more; ) {
    signal.throwIfAborted();
    await requireAllowed?.();
    const page: ReturnType<LedgerReader['list']> = reader.list(filter, { before, limit: BATCH_ENTRIES });
    for (const { sequence } of page.rows) {
      const entry = reader.find(sequence);
      // Deleted since the batch was read.
      if (entry === undefined) continue;
      const line = await toLine(options, entry);
      for (let at = 0; at < line.length; at += PIECE_CHARACTERS) yield line.slice(at, at + PIECE_CHARACTERS);
      signal.throwIfAborted();
    }
    before = page.rows.at(-1)?.sequence ?? null;
    more = page.more;
    await nextTurn();
  }
}

async function toLine({ reader, redactor, format, seesContents }: ExportOptions, kept: LedgerEntry): Promise<string> {
  const entry = seesContents ? kept : withoutContents(kept);
  const read = async (payload: StoredPayload | null): Promise<Json> =>
    payload === null ? null : (JSON.parse(await reader.payload(payload)) as Json); // what JSON.parse returns is JSON
  const exported = toExported(entry, { arguments: await read(entry.arguments), result: await read(entry.result) });
  // The redactor gives back a value of the same shape.
  const scrubbed = redactor.value(exported) as typeof exported;
  return format === 'csv' ? toCsvRecord(scrubbed) : `${JSON.stringify(scrubbed)}\n`;
}
