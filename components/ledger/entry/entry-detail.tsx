import type { ReactNode } from 'react';
import { roleFor } from '@/lib/auth';
import { isFinal, mayHaveHappened } from '@/lib/calls';
import { toVisibleText } from '@/lib/core';
import type { LedgerEntry } from '@/lib/ledger';
import { Callout } from '../../ui/callout';
import { Section } from '../../ui/page';
import { DateTime } from '../../ui/relative-time';
import { EntryNotes } from './entry-notes';
import { EntryPayload } from './entry-payload';
import { EntryResult } from './entry-result';
import { EntryTimings } from './entry-timings';

interface EntryDetailProps {
  readonly entry: LedgerEntry;
  readonly seesContents: boolean;
  /** How to find out whether a call that may have happened did. */
  readonly verification?: ReactNode;
}

/** All that an entry keeps, in the order in which it matters. */
export function EntryDetail({ entry, seesContents, verification }: EntryDetailProps) {
  const { error } = entry;
  return (
    <>
      {mayHaveHappened(entry.outcome, entry.sentAt) ? (
        <Callout
          meaning="unknown"
          message="This call may have been carried out: it was sent, and no answer settled it. Find out before you call again."
        >
          {verification}
        </Callout>
      ) : null}
      {error === null ? null : (
        <Callout
          meaning={isFinal(entry.outcome) && mayHaveHappened(entry.outcome, entry.sentAt) ? 'unknown' : 'bad'}
          message={error.message}
          remedy={error.remediation}
          remedyBy={error.remediationBy}
          note={toErrorNote(error)}
        />
      )}
      {entry.policy === null ? null : <p className="max-w-prose text-sm text-muted">{toVisibleText(entry.policy)}</p>}
      {entry.warnings.map((warning) => (
        <Callout key={warning} meaning="attention" message={warning} />
      ))}
      {entry.lateAnswerAt === null ? null : (
        <Callout meaning="attention" message="The answer came after the call had been given up; it is kept here as it came.">
          <p className="text-sm text-muted">
            It came <DateTime at={entry.lateAnswerAt} />.
          </p>
        </Callout>
      )}
      {seesContents ? <EntryContents entry={entry} /> : <NoContents />}
      <Section title="Timings">
        <EntryTimings entry={entry} />
      </Section>
      {entry.progress.length === 0 ? null : (
        <Section title="Progress and log">
          <EntryNotes notes={entry.progress} />
        </Section>
      )}
    </>
  );
}

function EntryContents({ entry }: { readonly entry: LedgerEntry }) {
  return (
    <>
      {entry.arguments === null ? null : (
        <Section title={entry.argumentsSent === null ? 'Arguments' : 'Arguments as given'}>
          <EntryPayload payload={entry.arguments} label="the arguments" />
        </Section>
      )}
      {entry.argumentsSent === null ? null : (
        <Section title="Arguments as sent">
          <EntryPayload payload={entry.argumentsSent} label="the arguments as sent" />
        </Section>
      )}
      {entry.result === null ? null : (
        <Section title="Result">
          <EntryResult payload={entry.result} download={`/api/ledger/${entry.sequence}/result`} />
        </Section>
      )}
    </>
  );
}

const NoContents = () => (
  <Callout
    meaning="disabled"
    message={`Your role shows that this call was made, not what was in it. Arguments and results are shown to those who are at least ${roleFor('ledger.see_contents')}.`}
    remedy="Ask an admin for that role if you need it."
  />
);

function toErrorNote(error: NonNullable<LedgerEntry['error']>): string {
  const parts = [
    toVisibleText(error.code),
    error.httpStatus === null ? null : `HTTP ${error.httpStatus}`,
    error.rpcCode === null ? null : `JSON-RPC ${error.rpcCode}`,
    error.readFromText ? 'read out of a text answer' : null,
  ].filter((part) => part !== null);
  return `(${parts.join(', ')})`;
}
