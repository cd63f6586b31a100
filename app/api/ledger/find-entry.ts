import type { RouteContext } from '@/app/define-route';
import { AppError } from '@/lib/core';
import { toDeletedSentence, type LedgerEntry } from '@/lib/ledger';

/**
 * Answers with the entry that the address names. One that was deleted is no longer there (410), and the answer says so
 * with its tombstone.
 * @throws AppError `not_found` where there never was one
 */
export function answerEntry({ params, runtime }: Pick<RouteContext, 'params' | 'runtime'>, answer: (entry: LedgerEntry) => Response): Response {
  const text = params['sequence'];
  const sequence = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
  const entry = sequence === null ? undefined : runtime.ledger.reader.find(sequence);
  if (entry !== undefined) return answer(entry);
  const [first, ...others] = sequence === null ? [] : runtime.ledger.retention.findTombstones(sequence);
  if (sequence === null || first === undefined) throw new AppError({ code: 'not_found', message: 'There is no entry of that number in the ledger.' });
  const deleted = [first, ...others] as const;
  const remedy = 'What was in it is gone; that it was made stays on record.';
  return Response.json({ code: 'not_found', message: toDeletedSentence(sequence, deleted), remedy, deleted }, { status: 410 });
}
