import { assertNever } from '@/lib/core';
import type { Stage } from '@/lib/pool';
import type { TransportKind } from '@/lib/servers';
import { stagesFor } from './stages';
import type { ConnectionTestResult, StageReport, TestEvent } from './test-result';

/** One stage as a page shows it while the test goes on and after. */
export type StageView =
  | { readonly name: 'waiting'; readonly stage: Stage }
  | { readonly name: 'running'; readonly stage: Stage; readonly since: number }
  | { readonly name: 'ended'; readonly stage: Stage; readonly report: StageReport }
  /** The test stopped before it. */
  | { readonly name: 'not_reached'; readonly stage: Stage };

export interface TestView {
  readonly stages: readonly StageView[];
  /** The last line that a package runner printed while it installs. */
  readonly progress: string | null;
  /** null while the test runs. */
  readonly result: ConnectionTestResult | null;
}

/** A test of which nothing is known yet but its transport. */
export const emptyTest = (transport: TransportKind): TestView => ({
  stages: stagesFor(transport).map((stage) => ({ name: 'waiting', stage })),
  progress: null,
  result: null,
});

/**
 * The view after one more event. An event that comes twice, or after what it began has ended, changes nothing,
 * so that what was fetched and what follows live may overlap.
 */
export function foldTest(view: TestView, event: TestEvent): TestView {
  if (view.result !== null) return view;
  switch (event.type) {
    case 'test.stage_began':
      return withStage(view, { name: 'running', stage: event.stage, since: event.at });
    case 'test.progressed':
      return { ...view, progress: event.text };
    case 'test.stage_ended':
      return { ...withStage(view, { name: 'ended', stage: event.report.stage, report: event.report }), progress: null };
    case 'test.ended':
      return toEndedView(view, event.result);
    default:
      return assertNever(event);
  }
}

function withStage(view: TestView, next: StageView): TestView {
  const known = view.stages.find(({ stage }) => stage === next.stage);
  if (known?.name === 'ended') return view;
  // A stage that does not belong to the transport as it was written, as when the URL decides it: shown where it came.
  if (known === undefined) return { ...view, stages: [...view.stages, next] };
  return { ...view, stages: view.stages.map((stage) => (stage === known ? next : stage)) };
}

/** The end has the whole truth: a stage without a report was never reached. */
function toEndedView(view: TestView, result: ConnectionTestResult): TestView {
  const known = view.stages.map(({ stage }) => stage);
  const others = result.stages.map(({ stage }) => stage).filter((stage) => !known.includes(stage));
  return {
    stages: [...known, ...others].map((stage) => {
      const report = result.stages.find((ended) => ended.stage === stage);
      return report === undefined ? { name: 'not_reached', stage } : { name: 'ended', stage, report };
    }),
    progress: null,
    result,
  };
}
