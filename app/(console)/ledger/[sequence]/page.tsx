import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { requirePage } from '@/app/require-page';
import { CallAgain } from '@/components/ledger/entry/call-again';
import { CancelCall } from '@/components/ledger/entry/cancel-call';
import { CompareWith } from '@/components/ledger/entry/compare-with';
import { CopyEntry } from '@/components/ledger/entry/copy-entry';
import { DeletedEntry } from '@/components/ledger/entry/deleted-entry';
import { EntryDetail } from '@/components/ledger/entry/entry-detail';
import { EntryFacts } from '@/components/ledger/entry/entry-facts';
import { EntryLive } from '@/components/ledger/entry/entry-live';
import { toEditableText } from '@/components/ledger/entry/parse-stored';
import { QueuePlace } from '@/components/ledger/entry/queue-place';
import { Verification } from '@/components/ledger/entry/verification';
import { OutcomeStatus } from '@/components/ledger/outcome-status';
import { CopyButton } from '@/components/ui/copy-button';
import { PageBody, PageHeader } from '@/components/ui/page';
import { TextLink } from '@/components/ui/text-link';
import { may } from '@/lib/auth';
import { isFinal, mayHaveHappened } from '@/lib/calls';
import { toVisibleText } from '@/lib/core';
import { callAgain, cancelCall } from '../actions';
import { findTombstones, loadEntry, toSafeCallLine } from './load-entry';

interface EntryPageProps {
  readonly params: Promise<{ readonly sequence: string }>;
}

export async function generateMetadata({ params }: EntryPageProps): Promise<Metadata> {
  return { title: `Entry ${(await params).sequence}` };
}

export default async function EntryPage({ params }: EntryPageProps) {
  const { principal, runtime } = await requirePage('ledger.see');
  const { sequence } = await params;
  const found = await loadEntry(sequence, principal, runtime);
  if (found === undefined) {
    const tombstones = findTombstones(sequence, runtime);
    if (tombstones.length === 0) notFound();
    return (
      <>
        <PageHeader parent={<TextLink href="/ledger">Ledger</TextLink>} title={`Entry ${sequence}`} note="deleted" />
        <PageBody>
          <DeletedEntry tombstones={tombstones} />
        </PageBody>
      </>
    );
  }
  const { entry, verifyWith, toolIsThere } = found;
  const uncertain = mayHaveHappened(entry.outcome, entry.sentAt);
  const verification = uncertain ? <Verification serverKey={entry.serverKey} tools={verifyWith} /> : null;
  const mayCall = may(principal.role, 'calls.make');
  const seesContents = may(principal.role, 'ledger.see_contents');
  const callLine = seesContents ? toSafeCallLine(entry, runtime) : null;
  return (
    <>
      <EntryLive sequence={entry.sequence} running={!isFinal(entry.outcome)} />
      <PageHeader
        parent={<TextLink href="/ledger">Ledger</TextLink>}
        title={toVisibleText(entry.tool)}
        note={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <OutcomeStatus outcome={entry.outcome} sentAt={entry.sentAt} />
            {entry.outcome === 'queued' ? <QueuePlace sequence={entry.sequence} serverKey={entry.serverKey} /> : null}
          </span>
        }
        action={mayCall && !isFinal(entry.outcome) ? <CancelCall sequence={entry.sequence} cancelCall={cancelCall} /> : undefined}
      />
      <PageBody>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-4">
            <EntryDetail entry={entry} seesContents={seesContents} verification={verification} />
            {mayCall && seesContents && entry.arguments?.kind === 'inline' ? (
              <div className="flex flex-col items-stretch gap-2">
                <CallAgain
                  key={entry.sequence}
                  sequence={entry.sequence}
                  serverKey={entry.serverKey}
                  tool={toVisibleText(entry.tool)}
                  argumentsText={toEditableText(entry.arguments.json)}
                  formHref={toolIsThere ? `/servers/${entry.serverKey}/tools?tool=${encodeURIComponent(entry.tool)}&from=${entry.sequence}` : null}
                  verification={verification}
                  callAgain={callAgain}
                />
              </div>
            ) : null}
          </div>
          <aside aria-label="About this entry" className="order-first flex flex-col items-start gap-4 lg:order-last">
            <EntryFacts entry={entry} />
            {seesContents ? <CopyEntry sequence={entry.sequence} /> : null}
            {callLine === null ? null : <CopyButton what="this call as a command line" label="copy as a command" size="normal" text={callLine} />}
            <CompareWith sequence={entry.sequence} />
          </aside>
        </div>
      </PageBody>
    </>
  );
}
