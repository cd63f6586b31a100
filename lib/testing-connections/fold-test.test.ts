import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyTest, foldTest } from './fold-test';
import { stagesFor } from './stages';
import type { ConnectionTestResult, StageReport, TestEvent } from './test-result';

const report = (stage: StageReport['stage'], outcome: StageReport['outcome'] = 'passed'): StageReport => ({
  stage, outcome, ms: 5, detail: `${stage} ${outcome}`, evidence: {},
});

const failedAtSpawn: ConnectionTestResult = {
  startedAt: 0,
  finishedAt: 100,
  ok: false,
  latencyMs: null,
  stages: [report('config'), report('resolve'), report('spawn', 'failed')],
  failure: { stage: 'spawn', code: 'exited_at_once', message: 'It ended.', remediation: 'Read its stderr.', evidence: { exitCode: 3 } },
  warnings: [],
  facts: null,
  snapshot: null,
  strayLines: { count: 0, first: null },
};

const EVENTS: readonly TestEvent[] = [
  { type: 'test.stage_began', stage: 'config', at: 1 },
  { type: 'test.stage_ended', report: report('config'), at: 2 },
  { type: 'test.stage_began', stage: 'resolve', at: 3 },
  { type: 'test.stage_ended', report: report('resolve'), at: 4 },
  { type: 'test.stage_began', stage: 'spawn', at: 5 },
  { type: 'test.progressed', text: 'installing…', at: 6 },
  { type: 'test.stage_ended', report: report('spawn', 'failed'), at: 7 },
  { type: 'test.ended', result: failedAtSpawn, at: 8 },
];

const foldAll = (events: readonly TestEvent[]) => events.reduce(foldTest, emptyTest('stdio'));

describe('stagesFor', () => {
  it('begins with the configuration and ends with the manifest on every transport', () => {
    for (const transport of ['stdio', 'http', 'sse', 'websocket'] as const) {
      expect(stagesFor(transport).at(0)).toBe('config');
      expect(stagesFor(transport).at(-1)).toBe('capabilities');
    }
    expect(stagesFor('stdio')).toContain('spawn');
    expect(stagesFor('stdio')).not.toContain('connect');
    expect(stagesFor('http')).not.toContain('spawn');
  });
});

describe('foldTest', () => {
  it('shows what ran, what runs with its progress, and what waits', () => {
    const view = foldAll(EVENTS.slice(0, 6));
    expect(view.stages.map(({ name, stage }) => `${stage} ${name}`)).toEqual([
      'config ended', 'resolve ended', 'spawn running', 'negotiate waiting', 'list waiting', 'capabilities waiting',
    ]);
    expect(view.progress).toBe('installing…');
    expect(view.result).toBeNull();
  });

  it('marks what a failed test never came to', () => {
    const view = foldAll(EVENTS);
    expect(view.stages.map(({ name }) => name)).toEqual(['ended', 'ended', 'ended', 'not_reached', 'not_reached', 'not_reached']);
    expect(view.progress).toBeNull();
    expect(view.result?.failure?.code).toBe('exited_at_once');
  });

  it('takes the reports from the end alone where the rest was missed', () => {
    expect(foldAll(EVENTS.slice(-1))).toEqual(foldAll(EVENTS));
  });

  it('is the same when events are repeated in the order in which they came', () => {
    fc.assert(
      fc.property(fc.nat(EVENTS.length), (fetched) => {
        expect(foldAll([...EVENTS.slice(0, fetched), ...EVENTS])).toEqual(foldAll(EVENTS));
      }),
    );
  });

  it('never runs a stage again that has ended', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS.slice(0, 7)), { maxLength: 30 }), (events) => {
        const view = foldAll(events);
        const ended = events.flatMap((event) => (event.type === 'test.stage_ended' ? [event.report.stage] : []));
        for (const stage of ended) expect(view.stages.find((shown) => shown.stage === stage)?.name).toBe('ended');
      }),
    );
  });

  it('shows a stage that the transport as written does not have', () => {
    const view = foldTest(emptyTest('stdio'), { type: 'test.stage_began', stage: 'connect', at: 1 });
    expect(view.stages.at(-1)).toEqual({ name: 'running', stage: 'connect', since: 1 });
  });
});
