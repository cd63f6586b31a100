import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { listFactGroups, toTextQuery, type LedgerFilter } from '..';
import { ROW_COLUMNS } from './rows';
import { listTerms } from './search-terms';

/** A part of a statement and what stands for its question marks. */
interface Part {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

export type ListStatement = Part;

/** One of the things that a filter asks for. */
interface Condition {
  /** Sifts the rows that something else found. */
  readonly sift: Part;
  /** Selects one column for each hit by an index, in no order, to count them. */
  readonly hits: Part;
  /** How many hits are counted. */
  readonly counted: number;
  /** Whether it may drive whatever it counts, or only where all its hits were counted. */
  readonly drives: 'always' | 'when few';
  /** Walks down the hits in order of the sequence, through the other parts, for a page; several are merged. */
  walks(sift: readonly Part[], limit: number): readonly Part[];
}

/** How many hits a condition is counted up to, to see which one narrows most. */
const COUNTED_HITS = 2000;
/** How far the order of times may differ from that of the sequence, in entries: a clock that was set back. */
const CLOCK_MARGIN = 20_000;
/** As many hits of a text are read and sorted in a few dozen milliseconds. */
const SORTED_SPAN = 50_000;
/** As many durations are sorted in a few milliseconds; more of them are met soon by a walk down the table. */
const COUNTED_DURATIONS = 50_000;

/**
 * The statement for one page of the ledger, newest first, at any size of the table: the condition with the
 * fewest hits drives, through its index that ends in `sequence`; the others only sift. (Left alone, SQLite
 * has no statistics to choose by, and sorts every hit of a condition with several values.)
 */
export function toListStatement(sqlite: BetterSqlite3.Database, filter: LedgerFilter, before: number | null, limit: number): ListStatement {
  const bounds = [...(before === null ? [] : [{ sql: 'sequence < ?', parameters: [before] }]), ...toTimes(filter)];
  const span = findSpan(sqlite, filter);
  if (span !== null) bounds.push({ sql: 'sequence BETWEEN ? AND ?', parameters: [span.first, span.last] });
  if (filter.text !== null) {
    const isShort = span !== null && Math.min(span.last, before ?? Infinity) - span.first < SORTED_SPAN;
    return toTextStatement(sqlite, filter, filter.text, bounds, isShort, limit);
  }
  const counted = toConditions(filter).map((condition) => ({ condition, hits: countHits(sqlite, condition) }));
  const [driver] = counted
    .filter(({ condition, hits }) => condition.drives === 'always' || hits < condition.counted)
    .sort((a, b) => a.hits - b.hits)
    .map(({ condition }) => condition);
  const sift = [...counted.filter(({ condition }) => condition !== driver).map(({ condition }) => condition.sift), ...bounds];
  if (driver === undefined) return join`SELECT ${ROW_COLUMNS} FROM ledger_entries ${toWhere(sift)} ORDER BY sequence DESC LIMIT ${limit}`;
  return toRows(driver.walks(sift, limit), limit);
}

/** The rows that some walks found, merged. */
const toRows = (walks: readonly Part[], limit: number): ListStatement => ({
  sql: `SELECT ${ROW_COLUMNS} FROM ledger_entries WHERE sequence IN (${walks.map(({ sql }) => `SELECT * FROM (${sql})`).join(' UNION ALL ')})
    ORDER BY sequence DESC LIMIT ?`,
  parameters: [...walks.flatMap(({ parameters }) => parameters), limit],
});

/**
 * A text always drives: the index holds the facts that a filter asks for beside the words, and walks only where all of
 * them meet, whichever is rare. What it finds is sifted by the facts themselves, and by what the index does not hold.
 */
function toTextStatement(sqlite: BetterSqlite3.Database, filter: LedgerFilter, text: string, bounds: readonly Part[], isShort: boolean, limit: number): ListStatement {
  const conditions = toConditions(filter);
  const hasFewDurations = conditions.some((condition) => condition.drives === 'when few' && countHits(sqlite, condition) < condition.counted);
  const query = toTextQuery(text, listFactGroups(filter, hasFewDurations), (beginning) => listTerms(sqlite, beginning));
  return toRows([toTextWalk(query, [...conditions.map((condition) => condition.sift), ...bounds], isShort, limit)], limit);
}

/**
 * The text index walks by its own row number, which is the sequence; CROSS JOIN keeps the order of the two. Downwards
 * it always begins at the end: it walks a short span upwards, from where that begins, and the hits are sorted.
 */
function toTextWalk(query: string, sift: readonly Part[], isShort: boolean, limit: number): Part {
  const match: Part = { sql: 'ledger_texts MATCH ?', parameters: [query] };
  const byRow = sift.map(({ sql, parameters }) => ({ sql: sql.replace(/^sequence IN/, '+ledger_texts.rowid IN').replace(/^sequence\b/, 'ledger_texts.rowid'), parameters }));
  return join`SELECT ledger_texts.rowid AS sequence FROM ledger_texts CROSS JOIN ledger_entries ON ledger_entries.sequence = ledger_texts.rowid
    ${toWhere([match, ...byRow])} ORDER BY ${isShort ? '+ledger_texts.rowid' : 'ledger_texts.rowid'} DESC LIMIT ${limit}`;
}

/** The statement for those of some entries that belong to a filter, for rows that arrive live. */
export function toAmongStatement(filter: LedgerFilter, sequences: readonly number[]): ListStatement {
  const among: Part = { sql: `sequence IN (${placeholders(sequences)})`, parameters: sequences };
  const sift = [among, ...toConditions(filter).map((condition) => condition.sift), ...toTimes(filter)];
  if (filter.text === null) return join`SELECT ${ROW_COLUMNS} FROM ledger_entries ${toWhere(sift)} ORDER BY sequence DESC`;
  const span: Part = { sql: 'sequence BETWEEN ? AND ?', parameters: [Math.min(...sequences), Math.max(...sequences)] };
  return toRows([toTextWalk(toTextQuery(filter.text, listFactGroups(filter, false)), [...sift, span], false, sequences.length)], sequences.length);
}

/** All but the text and the times, which have their own ways. */
function toConditions(filter: LedgerFilter): Condition[] {
  return [
    ...toValues('run_id', filter.runId === null ? [] : [filter.runId]),
    ...toValues('error_code', filter.errorCodes),
    ...toValues('tool', filter.tools),
    ...toValues('server_key', filter.serverKeys),
    ...toValues('outcome', filter.outcomes),
    ...toValues('actor_name', filter.actorName === null ? [] : [filter.actorName]),
    ...toValues('actor_kind', filter.actorKinds),
    ...(filter.minDurationMs === null && filter.maxDurationMs === null ? [] : [toDurationCondition(filter.minDurationMs, filter.maxDurationMs)]),
    ...toValues('plumbing', filter.plumbing ? [] : [0]),
  ];
}

/** Any of some values of a column. Each has its own ordered walk down the index, which stops after a page. */
function toValues(column: string, values: readonly (string | number)[]): Condition[] {
  if (values.length === 0) return [];
  const list = placeholders(values);
  return [
    {
      sift: { sql: `+${column} IN (${list})`, parameters: values },
      hits: { sql: `SELECT 1 FROM ledger_entries WHERE ${column} IN (${list})`, parameters: values },
      counted: COUNTED_HITS,
      drives: 'always',
      walks: (sift, limit) =>
        values.map(
          (value) => join`SELECT sequence FROM ledger_entries ${toWhere([{ sql: `${column} = ?`, parameters: [value] }, ...sift])} ORDER BY sequence DESC LIMIT ${limit}`,
        ),
    },
  ];
}

/** Few hits are taken from their index and sorted; many are met soon by a walk that something else drives. */
function toDurationCondition(minMs: number | null, maxMs: number | null): Condition {
  const range = (column: string): Part => ({ sql: `${column} BETWEEN ? AND ?`, parameters: [minMs ?? 0, maxMs ?? Number.MAX_SAFE_INTEGER] });
  const sift = range('+duration_ms');
  return {
    sift,
    hits: join`SELECT 1 FROM ledger_entries WHERE ${range('duration_ms')}`,
    counted: COUNTED_DURATIONS,
    drives: 'when few',
    walks: (others, limit) => [
      join`SELECT sequence FROM ledger_entries INDEXED BY ledger_entries_duration ${toWhere([range('duration_ms'), ...others])} ORDER BY sequence DESC LIMIT ${limit}`,
    ],
  };
}

function countHits(sqlite: BetterSqlite3.Database, { hits, counted }: Condition): number {
  const row = sqlite.prepare(`SELECT count(*) AS hits FROM (${hits.sql} LIMIT ${counted})`).get(...hits.parameters);
  return z.object({ hits: z.number() }).parse(row).hits;
}

/**
 * Where entries of the filter's times may lie, by the sequences that the index of times names, since pages go by
 * sequence. Only the ends of a long range are looked at: times rise with the sequence but for a clock that was set back.
 */
function findSpan(sqlite: BetterSqlite3.Database, filter: LedgerFilter): { readonly first: number; readonly last: number } | null {
  if (filter.fromAt === null && filter.toAt === null) return null;
  const range = [filter.fromAt ?? 0, filter.toAt ?? Number.MAX_SAFE_INTEGER];
  const find = (extreme: 'min' | 'max', order: 'ASC' | 'DESC'): number | null => {
    const sql = `SELECT ${extreme}(sequence) FROM (SELECT sequence FROM ledger_entries WHERE requested_at >= ? AND requested_at < ? ORDER BY requested_at ${order} LIMIT ${CLOCK_MARGIN})`;
    return z.number().nullable().parse(sqlite.prepare(sql).pluck().get(...range));
  };
  const first = filter.fromAt === null ? 0 : find('min', 'ASC');
  const last = filter.toAt === null ? Number.MAX_SAFE_INTEGER : find('max', 'DESC');
  return { first: first ?? 0, last: first === null ? -1 : (last ?? -1) };
}

const toTimes = ({ fromAt, toAt }: LedgerFilter): Part[] => [
  ...(fromAt === null ? [] : [{ sql: '+requested_at >= ?', parameters: [fromAt] }]),
  ...(toAt === null ? [] : [{ sql: '+requested_at < ?', parameters: [toAt] }]),
];

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const toWhere = (parts: readonly Part[]): Part => ({
  sql: parts.length === 0 ? '' : `WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
  parameters: parts.flatMap(({ parameters }) => parameters),
});

/** Statements as templates: parts keep their parameters in place, numbers become parameters, texts are SQL of ours. */
function join(texts: TemplateStringsArray, ...members: readonly (Part | string | number)[]): Part {
  const parts = members.map((member): Part => {
    if (typeof member === 'number') return { sql: '?', parameters: [member] };
    return typeof member === 'string' ? { sql: member, parameters: [] } : member;
  });
  return { sql: String.raw({ raw: texts }, ...parts.map(({ sql }) => sql)), parameters: parts.flatMap(({ parameters }) => parameters) };
}
