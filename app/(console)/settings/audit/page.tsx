import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { AuditTable } from '@/components/settings/audit-table';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';

export const metadata: Metadata = { title: 'Audit' };

/** Records on a page. */
const PAGE_SIZE = 100;

const toText = (parameter: string | string[] | undefined): string | undefined =>
  typeof parameter === 'string' && parameter !== '' ? parameter : undefined;

export default async function AuditPage({ searchParams }: PageProps<'/settings/audit'>) {
  const { principal, runtime } = await requirePage('servers.see');
  const parameters = await searchParams;
  const subject = toText(parameters.subject);
  const before = /^\d{1,15}$/.test(toText(parameters.before) ?? '') ? Number(parameters.before) : null;
  return (
    <SettingsFrame current="audit" permission="audit.see" role={principal.role}>
      {() => {
        const { records, more } = runtime.audit.list({ before, limit: PAGE_SIZE, ...(subject === undefined ? {} : { subject }) });
        if (records.length === 0) {
          return (
            <EmptyState
              title={subject === undefined ? 'Nothing is on record yet' : `Nothing is on record about ${subject}`}
              action={subject === undefined ? undefined : <LinkButton href="/settings/audit">Show everything</LinkButton>}
            >
              Each change to servers, people and secrets, and each test and start of a command, is written here, without values.
            </EmptyState>
          );
        }
        const last = records.at(-1)?.sequence ?? 0;
        const older = new URLSearchParams({ before: String(last), ...(subject === undefined ? {} : { subject }) });
        return (
          <>
            {subject === undefined ? null : (
              <p className="flex items-center gap-3 text-sm text-muted">
                Only {subject} <LinkButton size="small" href="/settings/audit">Show everything</LinkButton>
              </p>
            )}
            <AuditTable records={records} />
            <nav aria-label="Older and newer records" className="flex gap-2">
              {before === null ? null : <LinkButton href="/settings/audit">Newest</LinkButton>}
              {more ? <LinkButton href={`/settings/audit?${older}`}>Older</LinkButton> : null}
            </nav>
          </>
        );
      }}
    </SettingsFrame>
  );
}
