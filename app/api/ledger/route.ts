import { defineRoute } from '@/app/define-route';
import { may } from '@/lib/auth';
import { AppError } from '@/lib/core';
import { parseLedgerFilter, withoutRowContents } from '@/lib/ledger';

const PAGE_ROWS = 100;
const MAX_PAGE_ROWS = 500;

/** A page of the ledger, newest first: `?<filter>&before=<sequence>&limit=`. */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (request, { principal, runtime }) => {
    const search = new URL(request.url).searchParams;
    const { filter, errors } = parseLedgerFilter(search);
    const [first] = errors;
    if (first !== undefined) throw new AppError({ code: 'bad_input', message: first.message, fields: errors });
    const { reader } = runtime.ledger;
    // Read first: a row that comes between is then in the page, in the stream, or in both, and never in neither.
    const cursor = reader.newestCursor();
    const before = readNumber(search, 'before', Number.MAX_SAFE_INTEGER);
    const { rows, more } = reader.list(filter, { before, limit: readNumber(search, 'limit', MAX_PAGE_ROWS) ?? PAGE_ROWS });
    const seesContents = may(principal.role, 'ledger.see_contents');
    return Response.json({ rows: seesContents ? rows : rows.map(withoutRowContents), more, cursor });
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
