import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';

/** More words than this are cheaper merged by the index itself. */
const MOST_TERMS = 16;

/**
 * The words of the text index that begin so, where they are few: a query for words walks them where they meet, while
 * a beginning is merged from all its hits first. Steps from word to word, whatever their hits.
 * @param beginning as the index spells words: small letters without marks, or digits
 * @returns null where there are many
 */
export function listTerms(sqlite: BetterSqlite3.Database, beginning: string): string[] | null {
  sqlite.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.ledger_terms USING fts5vocab(main, ledger_texts, instance)');
  const findFrom = sqlite.prepare<[string]>('SELECT term FROM temp.ledger_terms WHERE term >= ? LIMIT 1').pluck();
  const terms: string[] = [];
  for (let from = beginning; terms.length <= MOST_TERMS; ) {
    const term = z.string().optional().parse(findFrom.get(from));
    if (term === undefined || !term.startsWith(beginning)) return terms;
    terms.push(term);
    from = `${term}\0`;
  }
  return null;
}
