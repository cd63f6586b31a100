import { expect, it } from 'vitest';
import type { ConnectFailure, ServerState } from '@/lib/pool';
import { strayWarning, type ConnectionTestResult } from '@/lib/testing-connections';
import { showState, showStrayLines, showTest } from './show-printed';

const PRINTED = 'what the server printed';
const failure: ConnectFailure = {
  stage: 'negotiate', code: 'exited_at_once', message: 'It ended.', remediation: 'Mend it.',
  evidence: { exitCode: 3, stderr: [PRINTED], stdout: [PRINTED], body: PRINTED },
};
const strayLines = { count: 2, first: PRINTED };
const state: ServerState = { name: 'failing', failure, since: 0, attempt: 1, nextTryAt: null };
const test: ConnectionTestResult = {
  startedAt: 0, finishedAt: 1, ok: false, latencyMs: null, failure, warnings: [strayWarning(strayLines), 'odd'], facts: null, snapshot: null, strayLines,
  stages: [{ stage: 'negotiate', outcome: 'failed', ms: 1, detail: `It ended. ${strayWarning(strayLines)}`, evidence: failure.evidence }],
};

it('keeps what a server printed from those who may not see contents, and says that there was some', () => {
  const shown = [showState(state, 'viewer'), showState({ name: 'starting', since: 0, attempt: 2, progress: null, lastFailure: failure }, 'viewer'), showStrayLines(strayLines, 'viewer'), showTest(test, 'viewer')];
  expect(JSON.stringify(shown)).not.toContain(PRINTED);
  expect(shown).toMatchObject([{ failure: { evidence: { exitCode: 3 } } }, { lastFailure: { message: 'It ended.', evidence: { exitCode: 3 } } }, { count: 2, first: null }, { strayLines: { count: 2 }, warnings: [expect.stringContaining('2 lines'), 'odd'] }]);
});

it('gives it to those who may', () => {
  expect([showState(state, 'analyst'), showStrayLines(strayLines, 'analyst'), showTest(test, 'analyst')]).toEqual([state, strayLines, test]);
});
