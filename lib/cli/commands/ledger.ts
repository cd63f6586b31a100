import { once } from 'node:events';
import { formatDuration, toIso, toVisibleText } from '@/lib/core';
import { EXPORT_FORMATS, parseLedgerFilter, type LedgerFilter, type LedgerRow } from '@/lib/ledger';
import { exportEntries } from '@/lib/ledger/node';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { withSession, type CommandSession, type CommonOptions } from '../session';
import type { Terminal } from '../terminal';

const LEDGER_FORMATS = ['table', ...EXPORT_FORMATS] as const;
type LedgerFormat = (typeof LEDGER_FORMATS)[number];

export interface LedgerOptions extends CommonOptions {
  readonly format?: string;
  readonly limit?: number;
  readonly run?: string;
  readonly server: readonly string[];
  readonly tool: readonly string[];
  readonly outcome: readonly string[];
  readonly code: readonly string[];
  readonly actor: readonly string[];
  readonly who?: string;
  readonly from?: string;
  readonly to?: string;
  readonly minMs?: string;
  readonly maxMs?: string;
  readonly text?: string;
  readonly plumbing: boolean;
}

const PAGE_ROWS = 200;

/** Reads the ledger, newest first: a table, or what an export holds. A reader who leaves ends it. */
export async function ledger(options: LedgerOptions, terminal: Terminal, stdout: NodeJS.WritableStream = process.stdout): Promise<ExitCode> {
  const format = requireFormat(options);
  const filter = requireFilter(options);
  return withSession(options, terminal, async (session) => {
    const gone = watchReader(stdout, session.signal);
    const write = (text: string): Promise<void> => writeTo(stdout, text, gone);
    try {
      if (format === 'table') await printTable(session, filter, options.limit ?? Infinity, write);
      else if (options.json) await printDocument(exportLines(session, filter, 'jsonl', options.limit ?? Infinity, gone), write);
      else for await (const line of exportLines(session, filter, format, options.limit ?? Infinity, gone)) await write(line);
    } catch (error) {
      if (!gone.aborted) throw error;
    }
    return EXIT.ok;
  });
}

/** With `--json` the answer is one document, so of the formats only JSON's own is left, as its list. */
function requireFormat({ format: given, json }: LedgerOptions): LedgerFormat {
  const format = LEDGER_FORMATS.find((name) => name === given);
  if (given !== undefined && format === undefined) throw new UsageError(`--format is one of ${LEDGER_FORMATS.join(', ')}, not "${given}".`);
  if (json && format !== undefined) throw new UsageError(`--json prints one document and --format ${format} prints lines: use one of the two.`);
  return json ? 'jsonl' : (format ?? 'table');
}

function requireFilter(options: LedgerOptions): LedgerFilter {
  const search = new URLSearchParams();
  const add = (name: string, values: readonly string[] | string | undefined): void => {
    for (const value of [values ?? []].flat()) search.append(name, value);
  };
  add('run', options.run);
  add('server', options.server);
  add('tool', options.tool);
  add('outcome', options.outcome);
  add('code', options.code);
  add('actor', options.actor);
  add('actor_name', options.who);
  add('from', options.from);
  add('to', options.to);
  add('min_ms', options.minMs);
  add('max_ms', options.maxMs);
  add('text', options.text);
  if (options.plumbing) search.set('plumbing', '1');
  const { filter, errors } = parseLedgerFilter(search);
  const [first] = errors;
  if (first !== undefined) throw new UsageError(first.message);
  return filter;
}

/** Aborted by the command's own signal, and when whoever reads stdout has gone: the rest would have no reader. */
function watchReader(stdout: NodeJS.WritableStream, signal: AbortSignal): AbortSignal {
  const left = new AbortController();
  stdout.once('error', () => left.abort());
  stdout.once('close', () => left.abort());
  return AbortSignal.any([signal, left.signal]);
}

type Write = (text: string) => Promise<void>;

async function writeTo(stdout: NodeJS.WritableStream, text: string, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted();
  if (!stdout.write(text)) await once(stdout, 'drain', { signal: gone });
}

async function* listRows({ runtime }: CommandSession, filter: LedgerFilter, limit: number): AsyncGenerator<LedgerRow> {
  let left = limit;
  let before: number | null = null;
  for (let more = true; more && left > 0; ) {
    const page: { rows: LedgerRow[]; more: boolean } = runtime.ledger.reader.list(filter, { before, limit: Math.min(PAGE_ROWS, left) });
    yield* page.rows;
    left -= page.rows.length;
    before = page.rows.at(-1)?.sequence ?? null;
    more = page.more;
  }
}

async function printTable(session: CommandSession, filter: LedgerFilter, limit: number, write: Write): Promise<void> {
  let printed = 0;
  for await (const row of listRows(session, filter, limit)) {
    if (printed === 0) await write(toTableLine(['SEQUENCE', 'TIME', 'SERVER', 'TOOL', 'OUTCOME', 'DURATION', 'ACTOR']));
    printed += 1;
    const durationMs = row.finishedAt === null ? null : row.finishedAt - row.requestedAt;
    const outcome = row.errorCode === null || row.errorCode === row.outcome ? row.outcome : `${row.outcome} (${row.errorCode})`;
    const cells = [String(row.sequence), toIso(row.requestedAt), row.serverKey, row.tool, outcome, durationMs === null ? '' : formatDuration(durationMs), row.actorName];
    await write(toTableLine(cells));
  }
  if (printed === 0) session.terminal.note('No entry of the ledger matches.');
}

const WIDTHS = [9, 24, 16, 24, 28, 12, 0] as const;

const toTableLine = (cells: readonly string[]): string => `${cells.map((cell, index) => toVisibleText(cell).padEnd(WIDTHS[index] ?? 0)).join('  ').trimEnd()}\n`;

/** The lines as a JSON list, written as they are read. */
async function printDocument(lines: AsyncIterable<string>, write: Write): Promise<void> {
  let first = true;
  let started = true;
  for await (const piece of lines) {
    const lead = started ? (first ? '[\n' : ',\n') : '';
    first = false;
    started = piece.endsWith('\n');
    await write(lead + (started ? piece.slice(0, -1) : piece));
  }
  await write(first ? '[]\n' : '\n]\n');
}

async function* exportLines({ runtime }: CommandSession, filter: LedgerFilter, format: 'jsonl' | 'csv', limit: number, gone: AbortSignal): AsyncGenerator<string> {
  const { reader } = runtime.ledger;
  let left = limit;
  const limited = {
    find: reader.find.bind(reader),
    streamPayload: reader.streamPayload.bind(reader),
    list: (...[asked, page]: Parameters<typeof reader.list>) => {
      const found = reader.list(asked, { before: page.before, limit: Math.max(1, Math.min(page.limit, left)) });
      left -= found.rows.length;
      return { rows: found.rows, more: found.more && left > 0 };
    },
  };
  yield* exportEntries({ reader: limited, redactor: runtime.redactor, format, seesContents: true }, filter, gone);
}
