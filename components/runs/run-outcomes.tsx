import { EMPTY_LEDGER_FILTER, toLedgerSearch } from '@/lib/ledger';
import type { RunHeader } from '@/lib/runs';
import { toOutcomeLook } from '../ledger/outcome-look';
import { Status } from '../ui/status';
import { TextLink } from '../ui/text-link';

/** How the calls of a run ended, each way with its count and the way to its entries. */
export function RunOutcomes({ header }: { readonly header: RunHeader }) {
  const { run, outcomes } = header;
  return (
    <ul aria-label="How its calls ended" className="flex flex-wrap gap-x-6 gap-y-1">
      {outcomes.map(({ outcome, sent, count }) => (
        <li key={`${outcome} ${sent}`} className="flex items-center gap-2">
          <Status {...toOutcomeLook(outcome, sent ? run.startedAt : null)} />
          <TextLink href={`/ledger?${toLedgerSearch({ ...EMPTY_LEDGER_FILTER, runId: run.id, outcomes: [outcome], plumbing: run.actorKind === 'console' }).toString()}`}>
            {count}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}
