import { defineRoute } from '@/app/define-route';

/** The calls in flight in this process. */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (_request, { runtime }) => Response.json({ calls: runtime.calls.inFlight() }),
});
