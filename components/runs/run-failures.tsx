import { toVisibleText } from '@/lib/core';
import { EMPTY_LEDGER_FILTER, toLedgerSearch } from '@/lib/ledger';
import type { RunFailure, RunHeader } from '@/lib/runs';
import { toOutcomeLook } from '../ledger/outcome-look';
import { Callout } from '../ui/callout';
import { TextLink } from '../ui/text-link';

/** Each distinct failure of a run once, with its remedy and the way to its entries. */
export function RunFailures({ header }: { readonly header: RunHeader }) {
  const { failures, moreFailures, run } = header;
  if (failures.length === 0) return <p className="text-muted">None of its calls failed.</p>;
  return (
    <>
      <ul aria-label="Distinct failures" className="flex flex-col gap-2">
        {failures.map((failure) => (
          <li key={failure.lastSequence}>
            <Failure failure={failure} href={toHref(header, failure)} />
          </li>
        ))}
      </ul>
      {moreFailures ? (
        <p className="text-sm text-muted">
          There are more than these {failures.length}: <TextLink href={`/ledger?run=${run.id}`}>see all its calls</TextLink>.
        </p>
      ) : null}
    </>
  );
}

function Failure({ failure, href }: { readonly failure: RunFailure; readonly href: string }) {
  const { serverKey, tool, code, message, remediation, remediationBy, count, outcome, sentAt, lastSequence } = failure;
  return (
    <Callout
      meaning={toOutcomeLook(outcome, sentAt).meaning}
      message={message ?? 'An analyst can see what was answered.'}
      remedy={remediation}
      remedyBy={remediationBy}
      note={`(${toVisibleText(code)})`}
    >
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span className="[overflow-wrap:anywhere]">
          {toVisibleText(tool)} of {serverKey}
        </span>
        <TextLink href={href}>{count === 1 ? '1 entry' : `${count} entries`}</TextLink>
        {count === 1 ? null : <TextLink href={`/ledger/${lastSequence}`}>the last one</TextLink>}
      </p>
    </Callout>
  );
}

/** One entry by its own address; several by the filter that finds them. */
const toHref = ({ run }: RunHeader, { serverKey, tool, code, count, lastSequence }: RunFailure): string =>
  count === 1
    ? `/ledger/${lastSequence}`
    : `/ledger?${toLedgerSearch({ ...EMPTY_LEDGER_FILTER, runId: run.id, serverKeys: [serverKey], tools: [tool], errorCodes: [code], plumbing: run.actorKind === 'console' }).toString()}`;
