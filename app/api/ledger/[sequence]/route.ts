import { defineRoute } from '@/app/define-route';
import { may } from '@/lib/auth';
import { withoutContents } from '@/lib/ledger';
import { answerEntry } from '../find-entry';

/** One entry, with what the reader's role may see of it. */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (_request, context) =>
    answerEntry(context, (entry) => Response.json({ entry: may(context.principal.role, 'ledger.see_contents') ? entry : withoutContents(entry) })),
});
