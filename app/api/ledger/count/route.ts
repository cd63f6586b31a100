import { defineRoute } from '@/app/define-route';
import { requireFilter } from '../require-filter';

/** Beyond it the number is "more than". */
const COUNTED_ENTRIES = 10_000;

/** How many entries a filter has: `?<filter>`. */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (request, { principal, runtime }) => {
    const filter = requireFilter(new URL(request.url).searchParams, principal);
    const counted = runtime.ledger.reader.count(filter, COUNTED_ENTRIES + 1);
    return Response.json({ count: Math.min(counted, COUNTED_ENTRIES), more: counted > COUNTED_ENTRIES });
  },
});
