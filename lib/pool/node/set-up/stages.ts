import type { Clock } from '@/lib/core';
import { STAGES, type ConnectFailure, type Evidence, type Stage } from '../..';
import type { StageEvent } from '../connection';

/** Reports the stages of one set-up, each once: it begins, it ends. */
export class StageTracker {
  private open: { readonly stage: Stage; readonly at: number } | null = null;
  private readonly ended = new Set<Stage>();

  constructor(
    private readonly clock: Clock,
    private readonly onStage: ((event: StageEvent) => void) | undefined,
  ) {}

  get current(): Stage {
    return this.open?.stage ?? 'config';
  }

  /** Begins a stage; an open one before it has passed. A stage that was there already is not repeated. */
  begin(stage: Stage): void {
    if (this.open?.stage === stage || this.ended.has(stage)) return;
    this.end('passed', '', {});
    const at = this.clock.now();
    this.open = { stage, at };
    this.onStage?.({ type: 'began', stage, at });
  }

  /** Ends this stage, if it is the open one: a second attempt comes through the same stages again. */
  pass(stage: Stage, detail: string, evidence: Evidence = {}): void {
    if (this.open?.stage === stage) this.end('passed', detail, evidence);
  }

  warn(stage: Stage, detail: string, evidence: Evidence = {}): void {
    if (this.open?.stage === stage) this.end('warned', detail, evidence);
  }

  /** Ends the open stage with the failure, or its own where that comes later; the failure is of the stage that it ended. */
  fail(failure: ConnectFailure): ConnectFailure {
    const isAhead = this.open === null || STAGES.indexOf(failure.stage) > STAGES.indexOf(this.open.stage);
    if (isAhead) this.begin(failure.stage);
    const stage = this.open?.stage ?? failure.stage;
    this.end('failed', failure.message, failure.evidence);
    return { ...failure, stage };
  }

  private end(outcome: 'passed' | 'warned' | 'failed', detail: string, evidence: Evidence): void {
    if (this.open === null) return;
    const { stage, at: beganAt } = this.open;
    const at = this.clock.now();
    this.open = null;
    this.ended.add(stage);
    this.onStage?.({ type: 'ended', stage, at, ms: Math.max(0, at - beganAt), outcome, detail, evidence });
  }
}
