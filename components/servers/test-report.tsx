'use client';

import { formatDuration } from '@/lib/core';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import type { CancelTest } from './action';
import type { FollowedTestView } from './fetch-servers';
import { findRedirectAddress } from './redirect-address';
import { foldStages, TestStages } from './test-stages';
import { UseAddress } from './use-address';

interface TestReportProps {
  readonly testId: string;
  readonly test: FollowedTestView | undefined;
  readonly error: Error | null;
  readonly cancelTest?: CancelTest;
  /** Takes the address that a redirect named; null for those who may not. */
  readonly onUseAddress?: ((address: string) => Promise<void> | void) | null;
}

/** A test as it goes and as it went: its verdict, its remedy, its stages with their evidence. */
export function TestReport({ testId, test, error, cancelTest, onUseAddress = null }: TestReportProps) {
  if (error !== null) return <Callout meaning="bad" message={error.message} />;
  const { reports, running, progress } = foldStages(test?.events ?? []);
  const result = test?.result ?? null;
  const isCancelled = result?.failure?.code === 'cancelled';
  const address = findRedirectAddress(result?.failure ?? null);
  return (
    <section aria-label="Connection test" aria-live="polite" aria-busy={result === null} className="flex flex-col gap-2">
      {result === null ? (
        <div className="flex items-center gap-2 text-sm text-muted">
          Testing…
          {cancelTest === undefined ? null : <Button size="small" onClick={() => void cancelTest({ testId })}>Cancel the test</Button>}
        </div>
      ) : isCancelled ? (
        <Callout meaning="disabled" message="The test was cancelled; nothing that it started is left running." />
      ) : result.failure !== null ? (
        <Callout
          meaning="bad"
          message={result.failure.message}
          remedy={result.failure.remediation}
          action={address === null || onUseAddress === null ? undefined : <UseAddress address={address} onUse={onUseAddress} />}
        />
      ) : (
        <Callout
          meaning="good"
          message={`The test passed in ${formatDuration(result.finishedAt - result.startedAt)}${result.latencyMs === null ? '' : `; the server answered in ${formatDuration(result.latencyMs)}`}.`}
        />
      )}
      <TestStages reports={reports} running={running} progress={progress} isCancelled={isCancelled} />
      {result?.warnings.map((warning) => <Callout key={warning} meaning="attention" message={warning} />)}
    </section>
  );
}
