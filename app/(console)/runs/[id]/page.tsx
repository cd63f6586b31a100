import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { requirePage } from '@/app/require-page';
import { toActorWord } from '@/components/ledger/ledger-filters';
import { RunFailures } from '@/components/runs/run-failures';
import { RunLive } from '@/components/runs/run-live';
import { RunOutcomes } from '@/components/runs/run-outcomes';
import { toStandingLook } from '@/components/runs/standing-look';
import { KeyValueList } from '@/components/ui/key-value';
import { PageBody, PageHeader, Section } from '@/components/ui/page';
import { DateTime } from '@/components/ui/relative-time';
import { Status } from '@/components/ui/status';
import { TextLink } from '@/components/ui/text-link';
import { may } from '@/lib/auth';
import { runIds, toVisibleText } from '@/lib/core';
import { toRunStanding, withoutFailureContents } from '@/lib/runs';

interface RunPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  return { title: `Run ${toVisibleText((await params).id.slice(0, 64))}` };
}

export default async function RunPage({ params }: RunPageProps) {
  const { principal, runtime } = await requirePage('ledger.see');
  const id = runIds.parse((await params).id);
  const found = id === undefined ? undefined : runtime.runHeaders.findHeader(id);
  if (found === undefined) notFound();
  const header = may(principal.role, 'ledger.see_contents') ? found : withoutFailureContents(found);
  const { run, outcomes, newestOnly } = header;
  const entries = `/ledger?run=${run.id}${run.actorKind === 'console' ? '&plumbing=1' : ''}`;
  return (
    <>
      <RunLive runId={run.id} />
      <PageHeader
        parent={<TextLink href="/runs">Runs</TextLink>}
        title={<span className="font-mono text-base">{run.id}</span>}
        note={<Status {...toStandingLook(toRunStanding(outcomes))} />}
      />
      <PageBody>
        <KeyValueList
          items={[
            { key: 'Kind', value: 'session: calls made by hand in one sign-in or command' },
            { key: 'Who', value: `${toVisibleText(run.actorName)} (${toActorWord(run.actorKind)})` },
            { key: 'Begun', value: <DateTime at={run.startedAt} /> },
            { key: 'Last call', value: run.lastCallAt === null ? null : <DateTime at={run.lastCallAt} /> },
            { key: 'Calls', value: <TextLink href={entries}>{run.entryCount === 1 ? '1 in the ledger' : `${run.entryCount} in the ledger`}</TextLink> },
          ]}
        />
        {newestOnly === null ? null : <p className="text-sm text-muted">What follows is of its newest {newestOnly} calls.</p>}
        {outcomes.length === 0 ? null : (
          <Section title="How its calls ended">
            <RunOutcomes header={header} />
          </Section>
        )}
        <Section title="Distinct failures">
          <RunFailures header={header} />
        </Section>
      </PageBody>
    </>
  );
}
