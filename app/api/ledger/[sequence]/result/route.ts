import { defineRoute } from '@/app/define-route';
import { toDownload } from '../../download';
import { answerEntry } from '../../find-entry';

/** The result of an entry, whole, as a download. */
export const GET = defineRoute({
  permission: 'ledger.see_contents',
  run: async (_request, context) => answerEntry(context, (entry) => toDownload(entry, 'result', entry.result, context)),
});
