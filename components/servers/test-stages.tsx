import { formatDuration, toVisibleText } from '@/lib/core';
import { STAGE_TITLES, type StageReport, type TestEvent } from '@/lib/testing-connections';
import { Status } from '../ui/status';
import { Evidence } from './evidence';

const OUTCOME_LOOKS = {
  passed: { meaning: 'good', word: 'passed' },
  warned: { meaning: 'attention', word: 'with a warning' },
  failed: { meaning: 'bad', word: 'failed' },
} as const;

const CANCELLED_LOOK = { meaning: 'disabled', word: 'cancelled' } as const;

/** The outcomes in a column of their own, so that a long detail never runs under them; on a phone they stand above it. */
const rowClasses = 'grid items-start gap-x-3 sm:grid-cols-[8rem_minmax(0,1fr)]';

interface TestStagesProps {
  readonly reports: readonly StageReport[];
  readonly running: StageReport['stage'] | null;
  readonly progress: string | null;
  /** A person ended the test: the stage that it ended did not fail. */
  readonly isCancelled?: boolean;
}

/** The stages of a test in order, as they went; the one that is under way last. */
export function TestStages({ reports, running, progress, isCancelled = false }: TestStagesProps) {
  return (
    <ol aria-label="Stages of the test" className="flex flex-col gap-1 text-sm">
      {reports.map((report) => (
        <li key={report.stage} className={rowClasses}>
          <Status {...(isCancelled && report.outcome === 'failed' ? CANCELLED_LOOK : OUTCOME_LOOKS[report.outcome])} />
          <div className="flex min-w-0 flex-col gap-1">
            <p className="[overflow-wrap:anywhere]">
              <StageTitle stage={report.stage} /> <span className="text-muted">{formatDuration(report.ms)}</span>
              {/* Of a failure the sentence with its remedy stands above. */}
              {report.outcome === 'failed' ? null : <span className="pl-2">{toVisibleText(report.detail)}</span>}
            </p>
            {report.outcome === 'passed' ? null : <Evidence evidence={report.evidence} said={report.detail} />}
          </div>
        </li>
      ))}
      {running === null ? null : (
        <li className={rowClasses}>
          <Status meaning="working" word="under way" />
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <StageTitle stage={running} />
            {progress === null ? null : <span className="pl-2 text-muted">{toVisibleText(progress)}</span>}
          </p>
        </li>
      )}
    </ol>
  );
}

const StageTitle = ({ stage }: { readonly stage: StageReport['stage'] }) => <span className="font-medium">{STAGE_TITLES[stage]}</span>;

/** How far a test has come, from its events. */
export function foldStages(events: readonly TestEvent[]): { readonly reports: readonly StageReport[]; readonly running: StageReport['stage'] | null; readonly progress: string | null } {
  const ended = events.find((event) => event.type === 'test.ended');
  if (ended !== undefined) return { reports: ended.result.stages, running: null, progress: null };
  const reports = events.flatMap((event) => (event.type === 'test.stage_ended' ? [event.report] : []));
  const began = events.findLast((event) => event.type === 'test.stage_began');
  const running = began !== undefined && !reports.some((report) => report.stage === began.stage) ? began.stage : null;
  const progress = events.findLast((event) => event.type === 'test.progressed');
  return { reports, running, progress: progress?.text ?? null };
}
