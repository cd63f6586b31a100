import { defineRoute } from '@/app/define-route';
import { requireServer } from '@/app/server-view';
import { AppError } from '@/lib/core';

/** As many as are kept of a server. */
const MOST_ROWS = 500;

/**
 * Messages that passed between the console and the server: `?after=<number>&limit=`, the newest without `after`; with
 * `texts=1` what was said too, from the oldest on, in parts.
 */
export const GET = defineRoute({
  permission: 'traffic.see',
  run: async (request, { runtime, params }) => {
    const { entry } = requireServer(runtime, String(params['key']));
    const search = new URL(request.url).searchParams;
    const query = { after: readNumber(search, 'after', 0, Number.MAX_SAFE_INTEGER), limit: readNumber(search, 'limit', 1, MOST_ROWS) ?? MOST_ROWS };
    const hasTexts = search.get('texts') === '1';
    return Response.json(hasTexts ? runtime.traffic.listMessages(entry.key, query) : runtime.traffic.listRows(entry.key, query));
  },
});

function readNumber(search: URLSearchParams, name: string, least: number, most: number): number | null {
  const text = search.get(name);
  if (text === null || text === '') return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  const message = `"${text.slice(0, 50)}" cannot be "${name}": write a whole number from ${least} to ${most}.`;
  throw new AppError({ code: 'bad_input', message, fields: [{ field: name, message }] });
}
