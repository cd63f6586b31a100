import { formatDuration, toVisibleText } from '@/lib/core';
import { STAGE_TITLES, type StageReport, type TestEvent } from '@/lib/testing-connections';
import { Status } from '../ui/status';
import { Evidence, hasEvidence } from './evidence';

const OUTCOME_LOOKS = {
  passed: { meaning: 'good', word: 'passed' },
  warned: { meaning: 'attention', word: 'with a warning' },
  failed: { meaning: 'bad', word: 'failed' },
} as const;

/** The stages of a test in order, as they went; the one that is under way last. */
export function TestStages({ reports, running, progress }: { readonly reports: readonly StageReport[]; readonly running: StageReport['stage'] | null; readonly progress: string | null }) {
  return (
    <ol aria-label="Stages of the test" className="flex flex-col gap-1 text-sm">
      {reports.map((report) => (
        <li key={report.stage} className="flex flex-col gap-1">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <Status {...OUTCOME_LOOKS[report.outcome]} className="w-32" />
            <span className="font-medium">{STAGE_TITLES[report.stage]}</span>
            <span className="text-muted">{formatDuration(report.ms)}</span>
            {/* Of a failure the sentence with its remedy stands above. */}
            {report.outcome === 'failed' ? null : <span className="min-w-0 [overflow-wrap:anywhere]">{toVisibleText(report.detail)}</span>}
          </div>
          {report.outcome !== 'passed' && hasEvidence(report.evidence) ? <div className="pl-4"><Evidence evidence={report.evidence} /></div> : null}
        </li>
      ))}
      {running === null ? null : (
        <li className="flex flex-wrap items-baseline gap-x-3">
          <Status meaning="working" word="under way" className="w-32" />
          <span className="font-medium">{STAGE_TITLES[running]}</span>
          <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{progress === null ? null : toVisibleText(progress)}</span>
        </li>
      )}
    </ol>
  );
}

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
