import { defineRoute } from '@/app/define-route';
import { may } from '@/lib/auth';
import { AppError } from '@/lib/core';
import { withoutRowContents, type LedgerRow } from '@/lib/ledger';
import { requireFilter } from './require-filter';

const PAGE_ROWS = 100;
const MAX_PAGE_ROWS = 500;

/**
 * A page of the ledger, newest first: `?<filter>&before=<sequence>&limit=`; with `among=<sequence>,…`, those of
 * some entries that belong to the filter.
 */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (request, { principal, runtime }) => {
    const search = new URL(request.url).searchParams;
    const filter = requireFilter(search, principal);
    const { reader } = runtime.ledger;
    // Read first: a row that comes between is then in the page, in the stream, or in both, and never in neither.
    const cursor = reader.newestCursor();
    const show = (rows: readonly LedgerRow[]) => (may(principal.role, 'ledger.see_contents') ? rows : rows.map(withoutRowContents));
    const among = search.get('among');
    if (among !== null) return Response.json({ rows: show(reader.among(filter, readSequences(among))), more: false, cursor });
    const before = readNumber(search, 'before', Number.MAX_SAFE_INTEGER);
    const { rows, more } = reader.list(filter, { before, limit: readNumber(search, 'limit', MAX_PAGE_ROWS) ?? PAGE_ROWS });
    return Response.json({ rows: show(rows), more, cursor });
  },
});

function readNumber(search: URLSearchParams, name: string, most: number): number | null {
  const text = search.get(name);
  if (text === null || text === '') return null;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= most) return number;
  const message = `"${text.slice(0, 50)}" cannot be "${name}": write a whole number from 1 to ${most}.`;
  throw new AppError({ code: 'bad_input', message, fields: [{ field: name, message }] });
}

function readSequences(text: string): number[] {
  const sequences = text.split(',').map(Number);
  if (sequences.length <= MAX_PAGE_ROWS && sequences.every((sequence) => Number.isSafeInteger(sequence) && sequence > 0)) return sequences;
  const message = `"among" takes at most ${MAX_PAGE_ROWS} numbers of entries, with commas between them.`;
  throw new AppError({ code: 'bad_input', message, fields: [{ field: 'among', message }] });
}
