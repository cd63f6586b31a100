import type { ConnectedFacts, ConnectFailure, Evidence, Stage } from '@/lib/pool';
import type { ServerSnapshot } from '@/lib/manifests';

/** One stage of a connection test as it ended. */
export type StageReport =
  | { readonly stage: Stage; readonly outcome: 'passed'; readonly ms: number; readonly detail: string; readonly evidence: Evidence }
  | { readonly stage: Stage; readonly outcome: 'warned'; readonly ms: number; readonly detail: string; readonly evidence: Evidence }
  | { readonly stage: Stage; readonly outcome: 'failed'; readonly ms: number; readonly detail: string; readonly evidence: Evidence };

/** What follows a test live: a stage begins, a stage ends, the whole ends. */
export type TestEvent =
  | { readonly type: 'test.stage_began'; readonly stage: Stage; readonly at: number }
  | { readonly type: 'test.progressed'; readonly text: string; readonly at: number }
  | { readonly type: 'test.stage_ended'; readonly report: StageReport; readonly at: number }
  | { readonly type: 'test.ended'; readonly result: ConnectionTestResult; readonly at: number };

/** The staged connection test of product section 3, whole. */
export interface ConnectionTestResult {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly ok: boolean;
  /** From the first message sent to its answer, null where none came. */
  readonly latencyMs: number | null;
  readonly stages: readonly StageReport[];
  readonly failure: ConnectFailure | null;
  readonly warnings: readonly string[];
  /** What was learned on the way, as far as the test came. */
  readonly facts: ConnectedFacts | null;
  readonly snapshot: ServerSnapshot | null;
  readonly strayLines: { readonly count: number; readonly first: string | null };
}
