import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { ComparedTable, ComparedValue } from '@/components/ledger/compare/compared-table';
import { DeletedEntry } from '@/components/ledger/entry/deleted-entry';
import { Callout } from '@/components/ui/callout';
import { PageBody, PageHeader, Section } from '@/components/ui/page';
import { TextLink } from '@/components/ui/text-link';
import { may } from '@/lib/auth';
import { findTombstones, loadEntry } from '../[sequence]/load-entry';
import { compareEntries } from './compare-entries';

export const metadata: Metadata = { title: 'Compare two calls' };

interface ComparePageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
}

export default async function ComparePage({ searchParams }: ComparePageProps) {
  const { principal, runtime } = await requirePage('ledger.see');
  const { a, b } = await searchParams;
  const [one, other] = await Promise.all([a, b].map(async (text) => (typeof text === 'string' ? loadEntry(text, principal, runtime) : undefined)));
  const header = <PageHeader parent={<TextLink href="/ledger">Ledger</TextLink>} title="Compare two calls" />;
  if (one === undefined || other === undefined) {
    const missing = (one === undefined ? a : b) ?? '(none given)';
    const tombstones = findTombstones(String(missing), runtime);
    return (
      <>
        {header}
        <PageBody>
          {tombstones.length > 0 ? <DeletedEntry tombstones={tombstones} /> : null}
          <Callout
            meaning="attention"
            message={`There is no entry of the number ${String(missing).slice(0, 30)} in the ledger${tombstones.length > 0 ? ' any more' : ''}.`}
            remedy="Pick two entries in the ledger, or open one and write the number of the other."
          />
        </PageBody>
      </>
    );
  }
  const compared = compareEntries(one.entry, other.entry);
  const names = { nameA: `Entry ${one.entry.sequence}`, nameB: `Entry ${other.entry.sequence}` };
  return (
    <>
      {header}
      <PageBody>
        <p className="flex flex-wrap gap-4">
          {[one.entry, other.entry].map(({ sequence }, index) => <TextLink key={index} href={`/ledger/${sequence}`}>Open entry {sequence}</TextLink>)}
        </p>
        <Section title="Outcome">
          <ComparedTable label="Outcome" {...names} rows={compared.facts} />
        </Section>
        <Section title="Error">
          <ComparedValue label="Error" {...names} comparison={compared.error} />
        </Section>
        {may(principal.role, 'ledger.see_contents') ? (
          <>
            {compared.comparesPreviews ? <Callout meaning="attention" message="A payload is too large to be compared whole: its preview is compared." /> : null}
            <Section title="Arguments">
              <ComparedValue label="Arguments" {...names} comparison={compared.arguments} />
            </Section>
            <Section title="Result">
              <ComparedValue label="Result" {...names} comparison={compared.result} />
            </Section>
          </>
        ) : (
          <Callout meaning="attention" message="An analyst can compare arguments and results; your role does not see them." />
        )}
        <Section title="Timings">
          <ComparedTable label="Timings" {...names} rows={compared.timings} />
        </Section>
      </PageBody>
    </>
  );
}
