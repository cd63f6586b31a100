import type { RouteContext } from '@/app/define-route';
import { AppError } from '@/lib/core';
import type { LedgerEntry } from '@/lib/ledger';

/** The entry that the address names. @throws AppError `not_found` */
export function requireEntry({ params, runtime }: Pick<RouteContext, 'params' | 'runtime'>): LedgerEntry {
  const text = params['sequence'];
  const entry = typeof text === 'string' && /^\d{1,15}$/.test(text) ? runtime.ledger.reader.find(Number(text)) : undefined;
  if (entry === undefined) throw new AppError({ code: 'not_found', message: 'There is no entry of that number in the ledger.' });
  return entry;
}
