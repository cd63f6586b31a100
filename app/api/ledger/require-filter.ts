import { may, type Principal } from '@/lib/auth';
import { AppError } from '@/lib/core';
import { parseLedgerFilter, withoutContentFilters, type LedgerFilter } from '@/lib/ledger';

/**
 * The filter that an address asks for.
 * @throws AppError `bad_input` where a part cannot be read; `not_allowed` where it would tell of contents that the role does not see
 */
export function requireFilter(search: URLSearchParams, principal: Principal): LedgerFilter {
  const { filter, errors } = parseLedgerFilter(search);
  const [first] = errors;
  if (first !== undefined) throw new AppError({ code: 'bad_input', message: first.message, fields: errors });
  if (may(principal.role, 'ledger.see_contents')) return filter;
  const [refused] = withoutContentFilters(filter).errors;
  if (refused !== undefined) throw new AppError({ code: 'not_allowed', message: refused.message });
  return filter;
}
