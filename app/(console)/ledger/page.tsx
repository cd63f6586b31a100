import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { LedgerView } from '@/components/ledger/ledger-view';
import { PageHeader } from '@/components/ui/page';
import { may } from '@/lib/auth';
import { isKnownErrorCode } from '@/lib/calls';
import { parseLedgerFilter, toLedgerSearch, withoutContentFilters, withoutRowContents } from '@/lib/ledger';

import { changeView, removeView, saveView } from './actions';

export const metadata: Metadata = { title: 'Ledger' };

const FIRST_ROWS = 100;

interface LedgerPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
}

export default async function LedgerPage({ searchParams }: LedgerPageProps) {
  const { principal, runtime } = await requirePage('ledger.see');
  const seesContents = may(principal.role, 'ledger.see_contents');
  const asked = parseLedgerFilter(toSearch(await searchParams));
  const allowed = seesContents ? { filter: asked.filter, errors: [] } : withoutContentFilters(asked.filter);
  const { filter } = allowed;
  const facets = runtime.ledger.reader.facets();
  // Read first: a row that comes between is then in the page, in the stream, or in both, and never in neither.
  const cursor = runtime.ledger.reader.newestCursor();
  const { rows, more } = runtime.ledger.reader.list(filter, { before: null, limit: FIRST_ROWS });
  return (
    <div className="flex h-(--page-height) min-h-0 flex-col">
      <PageHeader title="Ledger" />
      <LedgerView
        initial={{
          search: toLedgerSearch(filter).toString(),
          page: { rows: seesContents ? rows : rows.map(withoutRowContents), more, cursor },
        }}
        choices={{ ...facets, errorCodes: seesContents ? facets.errorCodes : facets.errorCodes.filter(isKnownErrorCode) }}
        problems={[...asked.errors, ...allowed.errors]}
        seesContents={seesContents}
        views={{
          views: runtime.ledger.views.list(principal),
          ownerName: principal.actor.name,
          mayShare: may(principal.role, 'ledger.share_views'),
          mayManage: may(principal.role, 'ledger.manage'),
          actions: { saveView, changeView, removeView },
        }}
      />
    </div>
  );
}

function toSearch(params: Awaited<LedgerPageProps['searchParams']>): URLSearchParams {
  const pairs = Object.entries(params).flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each]));
  return new URLSearchParams(pairs);
}
