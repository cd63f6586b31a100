import type { Clock } from '@/lib/core';
import { scrubEvidence, type ConnectFailure, type Evidence, type Scrub, type Stage } from '@/lib/pool';
import type { StageEvent } from '@/lib/pool/node';
import type { StageReport, TestEvent } from '../test-result';

/** Keeps the reports of one test's stages and tells each as it begins and ends. */
export class StageLog {
  private readonly ended: StageReport[] = [];
  private readonly told: string[] = [];
  private running: { readonly stage: Stage; readonly at: number } | null = null;
  /** What the connection said of a stage whose end this test tells itself. */
  private heldEvidence: Evidence = {};

  constructor(
    private readonly clock: Clock,
    private readonly onEvent: (event: TestEvent) => void,
    private readonly scrub: Scrub,
  ) {}

  get reports(): readonly StageReport[] {
    return this.ended;
  }

  /** The sentences of all stages that passed with a warning. */
  get warnings(): readonly string[] {
    return this.told;
  }

  /** Sentences about a stage that the connection itself told the end of. */
  warn(sentences: readonly string[]): void {
    this.told.push(...sentences.map(this.scrub));
  }

  /** The stage that runs, or the last one that ended. */
  get current(): Stage {
    return this.running?.stage ?? this.ended.at(-1)?.stage ?? 'config';
  }

  begin(stage: Stage, at: number = this.clock.now()): void {
    this.running = { stage, at };
    this.onEvent({ type: 'test.stage_began', stage, at });
  }

  /** Ends a stage: as warned where there is something to warn about. */
  end(stage: Stage, warnings: readonly string[], detail: string): void {
    if (this.has(stage)) return;
    this.told.push(...warnings.map(this.scrub));
    this.report({
      stage,
      outcome: warnings.length === 0 ? 'passed' : 'warned',
      ms: this.runningMs(stage),
      detail: [...(detail === '' ? [] : [detail]), ...warnings].join(' '),
      evidence: this.heldEvidence,
    });
    this.heldEvidence = {};
  }

  /**
   * A stage of setting up the connection. `config` is over by then, and the end of a good `list` waits for what
   * the test has to say of the lists, where it says once what such stages warn of as well.
   */
  follow(event: StageEvent): void {
    if (event.stage === 'config') return;
    if (event.type === 'began') {
      this.begin(event.stage, event.at);
      return;
    }
    if (event.stage === 'list' && event.outcome !== 'failed') {
      this.heldEvidence = event.evidence;
      return;
    }
    const { stage, outcome, ms, detail, evidence } = event;
    this.report({ stage, outcome, ms, detail, evidence });
  }

  /** The failure that ended the test; its stage is reported as failed unless it was already. */
  fail(failure: ConnectFailure): void {
    if (this.ended.some(({ outcome }) => outcome === 'failed')) return;
    const { stage, message, evidence } = failure;
    this.report({ stage, outcome: 'failed', ms: this.runningMs(stage), detail: message, evidence });
  }

  private has(stage: Stage): boolean {
    return this.ended.some((report) => report.stage === stage);
  }

  private runningMs(stage: Stage): number {
    return this.running?.stage === stage ? this.clock.now() - this.running.at : 0;
  }

  private report(report: StageReport): void {
    const scrubbed = { ...report, detail: this.scrub(report.detail), evidence: scrubEvidence(report.evidence, this.scrub) };
    const known = this.ended.findIndex(({ stage }) => stage === report.stage);
    if (known >= 0) this.ended.splice(known, 1, scrubbed);
    else this.ended.push(scrubbed);
    this.running = null;
    this.onEvent({ type: 'test.stage_ended', report: scrubbed, at: this.clock.now() });
  }
}
