import { toIso, type Json } from '@/lib/core';
import type { LedgerEntry } from './entry';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An entry as it leaves the console (product section 13, `ledger --format jsonl`). */
export interface ExportedEntry {
  readonly entry_id: string;
  readonly sequence: number;
  readonly run_id: string;
  readonly step: string | null;
  readonly actor: string;
  readonly server: string;
  readonly tool: string;
  readonly exposed_name: string | null;
  readonly arguments: Json;
  readonly outcome: string;
  readonly ok: boolean;
  readonly error: Json;
  readonly result: Json;
  readonly requested_at: string;
  readonly sent_at: string | null;
  readonly finished_at: string | null;
  readonly duration_ms: number | null;
  readonly attempts: number;
}

/** A text of which only the beginning is at hand. */
export interface HeadedText {
  readonly head: string;
  readonly characters: number;
}

/** @param contents the arguments and the result, read whole; null where there are none or the reader may not see them */
export function toExported(entry: LedgerEntry, contents: { readonly arguments: Json; readonly result: Json }): ExportedEntry {
  const { error } = entry;
  return {
    entry_id: entry.entryId,
    sequence: entry.sequence,
    run_id: entry.runId,
    step: entry.step,
    actor: entry.actorName,
    server: entry.serverKey,
    tool: entry.tool,
    exposed_name: entry.exposedName,
    arguments: contents.arguments,
    outcome: entry.outcome,
    ok: entry.outcome === 'ok',
    error:
      error === null
        ? null
        : {
            code: error.code, message: error.message, remediation: error.remediation, remediation_by: error.remediationBy,
            // Details came from JSON.
            http_status: error.httpStatus, details: (error.details ?? null) as Json, rpc_code: error.rpcCode,
          },
    result: contents.result,
    requested_at: toIso(entry.requestedAt),
    sent_at: entry.sentAt === null ? null : toIso(entry.sentAt),
    finished_at: entry.finishedAt === null ? null : toIso(entry.finishedAt),
    duration_ms: entry.finishedAt === null ? null : entry.finishedAt - entry.requestedAt,
    attempts: entry.attempts,
  };
}

type Cell = (entry: ExportedEntry, contents: CsvContents) => string | number | boolean | HeadedText | null;

/** The JSON of what an entry holds; null where there is none or the reader may not see it. */
interface CsvContents {
  readonly arguments: HeadedText | null;
  readonly result: HeadedText | null;
}

/** Spreadsheets take 32,767 characters in a cell: so much of a text is written to one. */
export const MAX_CELL_CHARACTERS = 32_000;

const readMember = (value: Json, name: string): string | null => {
  const member = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, Json>>)[name] : null; // neither a list nor null
  return typeof member === 'string' ? member : null;
};

const COLUMNS: readonly (readonly [string, Cell])[] = [
  ['entry_id', (entry) => entry.entry_id],
  ['sequence', (entry) => entry.sequence],
  ['run_id', (entry) => entry.run_id],
  ['step', (entry) => entry.step],
  ['actor', (entry) => entry.actor],
  ['server', (entry) => entry.server],
  ['tool', (entry) => entry.tool],
  ['exposed_name', (entry) => entry.exposed_name],
  ['outcome', (entry) => entry.outcome],
  ['ok', (entry) => entry.ok],
  ['error_code', (entry) => readMember(entry.error, 'code')],
  ['error_message', (entry) => readMember(entry.error, 'message')],
  ['arguments', (_entry, contents) => contents.arguments],
  ['result', (_entry, contents) => contents.result],
  ['requested_at', (entry) => entry.requested_at],
  ['sent_at', (entry) => entry.sent_at],
  ['finished_at', (entry) => entry.finished_at],
  ['duration_ms', (entry) => entry.duration_ms],
  ['attempts', (entry) => entry.attempts],
];

export const toCsvHeader = (): string => toCsvLine(COLUMNS.map(([name]) => name));

/** One record of RFC 4180. A long cell is cut and says so: the whole stands in JSONL. */
export const toCsvRecord = (entry: ExportedEntry, contents: CsvContents): string => toCsvLine(COLUMNS.map(([, read]) => read(entry, contents)));

const toCsvLine = (cells: readonly ReturnType<Cell>[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** A text that a spreadsheet would take for a formula stands behind an apostrophe, so that opening the file runs nothing. */
const FORMULA = /^[\s\0]*[=+\-@＝＋－＠\t\r\n|]/u;

function toCsvCell(value: ReturnType<Cell>): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const { head, characters } = typeof value === 'string' ? { head: value, characters: value.length } : value;
  const whole = characters <= MAX_CELL_CHARACTERS ? head : `${head.slice(0, MAX_CELL_CHARACTERS)} … (cut: ${characters} characters in all)`;
  const safe = FORMULA.test(whole) ? `'${whole}` : whole;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
