import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Redactor } from '@/lib/core';
import {
  MAX_CELL_CHARACTERS, toCsvHeader, toCsvRecord, toExported, withoutContents,
  type ExportedEntry, type ExportFormat, type HeadedText, type LedgerEntry, type LedgerFilter, type StoredPayload,
} from '..';
import type { LedgerReader } from './reader';
import { JsonScrubber } from './scrub-stream';

export interface ExportOptions {
  readonly reader: Pick<LedgerReader, 'list' | 'find' | 'streamPayload'>;
  readonly redactor: Pick<Redactor, 'value' | 'text'>;
  readonly format: ExportFormat;
  readonly seesContents: boolean;
  /** Asked before each batch: whether whoever reads may go on. @throws where not, which breaks the export off */
  readonly requireAllowed?: () => Promise<void>;
}

const BATCH_ENTRIES = 100;
/** What is gathered before it is handed on, in characters: a large result waits for its reader. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * The entries of a filter, newest first, as JSONL or CSV. They are read as they are taken: what is held is one
 * batch of rows, one entry, and a part of its payloads, whatever their size. Everything passes the redactor. A piece
 * ends in a line feed where an entry ends there.
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
      yield* exportEntry(options, options.seesContents ? entry : withoutContents(entry));
      signal.throwIfAborted();
    }
    before = page.rows.at(-1)?.sequence ?? null;
    more = page.more;
    await nextTurn();
  }
}

async function* exportEntry(options: ExportOptions, entry: LedgerEntry): AsyncGenerator<string> {
  // The redactor gives back a value of the same shape.
  const exported = options.redactor.value(toExported(entry, { arguments: null, result: null })) as ExportedEntry;
  if (options.format === 'csv') {
    yield toCsvRecord(exported, { arguments: await readHead(options, entry.arguments), result: await readHead(options, entry.result) });
    return;
  }
  let gathered = '';
  for await (const part of toJsonLine(options, entry, exported)) {
    gathered += part;
    if (gathered.length < PIECE_CHARACTERS) continue;
    yield gathered;
    gathered = '';
  }
  if (gathered !== '') yield gathered;
}

/** The members in their order, the payloads in place as they are read. */
async function* toJsonLine(options: ExportOptions, { arguments: given, result }: LedgerEntry, exported: ExportedEntry): AsyncGenerator<string> {
  const payloads: Readonly<Record<string, StoredPayload | null>> = { arguments: given, result };
  let lead = '{';
  for (const [name, value] of Object.entries(exported)) {
    yield `${lead}${JSON.stringify(name)}:`;
    const payload = payloads[name] ?? null;
    if (payload === null) yield JSON.stringify(value);
    else yield* readScrubbed(options, payload);
    lead = ',';
  }
  yield '}\n';
}

/** A payload's JSON, scrubbed, in parts. */
async function* readScrubbed({ reader, redactor }: ExportOptions, payload: StoredPayload): AsyncGenerator<string> {
  if (payload.kind === 'inline') {
    yield JSON.stringify(redactor.value(JSON.parse(payload.json)));
    return;
  }
  const scrubber = new JsonScrubber(redactor);
  const decoder = new TextDecoder();
  for await (const bytes of reader.streamPayload(payload) as AsyncIterable<Uint8Array>) yield scrubber.push(decoder.decode(bytes, { stream: true }));
  yield scrubber.push(decoder.decode()) + scrubber.end();
}

async function readHead(options: ExportOptions, payload: StoredPayload | null): Promise<HeadedText | null> {
  if (payload === null) return null;
  let head = '';
  let characters = 0;
  for await (const part of readScrubbed(options, payload)) {
    characters += part.length;
    if (head.length < MAX_CELL_CHARACTERS) head += part.slice(0, MAX_CELL_CHARACTERS - head.length);
  }
  return { head, characters };
}
