import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { RunTable } from '@/components/runs/run-table';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody, PageHeader } from '@/components/ui/page';
import { TextLink } from '@/components/ui/text-link';

export const metadata: Metadata = { title: 'Runs' };

const PAGE_ROWS = 100;

interface RunsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function RunsPage({ searchParams }: RunsPageProps) {
  const { runtime } = await requirePage('ledger.see');
  const { before } = await searchParams;
  const { rows, next } = runtime.runHeaders.list({ before: typeof before === 'string' && /^\d{1,15}$/.test(before) ? Number(before) : null, limit: PAGE_ROWS });
  return (
    <>
      <PageHeader title="Runs" />
      <PageBody>
        {rows.length === 0 ? (
          <EmptyState title="No runs yet">
            The calls that somebody makes by hand in one sign-in, or with one command, are a run. Call a tool on a server’s page, and its run stands here.
          </EmptyState>
        ) : (
          <RunTable rows={rows} />
        )}
        {next === null ? null : <TextLink href={`/runs?before=${next}`}>Older runs</TextLink>}
      </PageBody>
    </>
  );
}
