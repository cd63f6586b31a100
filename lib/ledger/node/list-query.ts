import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import type { LedgerFilter } from '..';
import { ROW_COLUMNS } from './rows';

interface Condition {
  readonly column: string;
  readonly values: readonly (string | number)[];
}

export interface ListStatement {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** How many hits a condition is counted up to, to see which one narrows most. */
const COUNTED_HITS = 2000;

/**
 * The statement for one page of the ledger, newest first, at any size of the table: the condition with the
 * fewest hits drives, through its index that ends in `sequence`; the others only sift. (Left alone, SQLite
 * has no statistics to choose by, and sorts every hit of a condition with several values.)
 */
export function toListStatement(sqlite: BetterSqlite3.Database, filter: LedgerFilter, before: number | null, limit: number): ListStatement {
  const bounds = findBounds(sqlite, filter);
  const conditions = toConditions(filter);
  const [driver, ...sifting] = conditions
    .map((condition) => ({ condition, hits: countHits(sqlite, condition) }))
    .sort((a, b) => a.hits - b.hits)
    .map(({ condition }) => condition);
  const sift = [
    ...sifting.map(({ column, values }) => ({ sql: `+${column} IN (${placeholders(values)})`, parameters: values })),
    ...(before === null ? [] : [{ sql: 'sequence < ?', parameters: [before] }]),
    ...bounds,
  ];
  const where = (first: readonly string[]): string => {
    const all = [...first, ...sift.map(({ sql }) => sql)];
    return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
  };
  const siftParameters = sift.flatMap(({ parameters }) => parameters);
  if (driver === undefined) {
    return { sql: `SELECT ${ROW_COLUMNS} FROM ledger_entries ${where([])} ORDER BY sequence DESC LIMIT ?`, parameters: [...siftParameters, limit] };
  }
  // Each value has its own ordered walk down the index, which stops after a page; the walks are then merged.
  const branch = `SELECT * FROM (SELECT sequence FROM ledger_entries ${where([`${driver.column} = ?`])} ORDER BY sequence DESC LIMIT ?)`;
  return {
    sql: `SELECT ${ROW_COLUMNS} FROM ledger_entries WHERE sequence IN (${driver.values.map(() => branch).join(' UNION ALL ')})
      ORDER BY sequence DESC LIMIT ?`,
    parameters: [...driver.values.flatMap((value) => [value, ...siftParameters, limit]), limit],
  };
}

function toConditions(filter: LedgerFilter): Condition[] {
  const conditions: Condition[] = [
    { column: 'run_id', values: filter.runId === null ? [] : [filter.runId] },
    { column: 'tool', values: filter.tools },
    { column: 'server_key', values: filter.serverKeys },
    { column: 'outcome', values: filter.outcomes },
    { column: 'actor_name', values: filter.actorName === null ? [] : [filter.actorName] },
    { column: 'actor_kind', values: filter.actorKinds },
    { column: 'plumbing', values: filter.plumbing ? [] : [0] },
  ];
  return conditions.filter(({ values }) => values.length > 0);
}

function countHits(sqlite: BetterSqlite3.Database, { column, values }: Condition): number {
  const sql = `SELECT count(*) AS hits FROM (SELECT 1 FROM ledger_entries WHERE ${column} IN (${placeholders(values)}) LIMIT ${COUNTED_HITS})`;
  return z.object({ hits: z.number() }).parse(sqlite.prepare(sql).get(...values)).hits;
}

/** A time is sifted exactly, and bounded by the sequences that its index names, since pages go by sequence. */
function findBounds(sqlite: BetterSqlite3.Database, filter: LedgerFilter): ListStatement[] {
  const times: ListStatement[] = [
    ...(filter.fromAt === null ? [] : [{ sql: '+requested_at >= ?', parameters: [filter.fromAt] }]),
    ...(filter.toAt === null ? [] : [{ sql: '+requested_at < ?', parameters: [filter.toAt] }]),
  ];
  if (times.length === 0) return [];
  const sql = `SELECT min(sequence) AS first, max(sequence) AS last FROM ledger_entries WHERE requested_at >= ? AND requested_at < ?`;
  const row = sqlite.prepare(sql).get(filter.fromAt ?? 0, filter.toAt ?? Number.MAX_SAFE_INTEGER);
  const { first, last } = z.object({ first: z.number().nullable(), last: z.number().nullable() }).parse(row);
  return [...times, { sql: 'sequence BETWEEN ? AND ?', parameters: [first ?? 0, last ?? -1] }];
}

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
