'use client';

import { X } from 'lucide-react';
import { formatDuration, toVisibleText } from '@/lib/core';
import { useConnectionTest } from '../servers/use-connection-test';
import { IconButton } from '../ui/icon-button';
import { Remedy } from '../ui/callout';
import { Status } from '../ui/status';
import { TextLink } from '../ui/text-link';
import type { ActResult } from './action';

/** What became of each server that somebody acted on. */
export function ActResults({ results, onDismiss }: { readonly results: readonly ActResult[]; readonly onDismiss: () => void }) {
  return (
    <section aria-label="What became of it" className="flex items-start gap-2 border border-line bg-surface p-3 text-sm">
      <ul className="flex min-w-0 flex-1 flex-col gap-1">
        {results.map((result) => (
          <li key={result.key} className="flex flex-wrap items-baseline gap-x-3">
            <TextLink href={`/servers/${result.key}`} className="font-medium">{result.key}</TextLink>
            {result.testId === null ? <Told ok={result.ok} message={result.message} remedy={result.remedy} /> : <TestResult serverKey={result.key} testId={result.testId} />}
          </li>
        ))}
      </ul>
      <IconButton size="small" label="Put away" icon={<X size={14} aria-hidden="true" />} onClick={onDismiss} />
    </section>
  );
}

const Told = ({ ok, message, remedy }: { readonly ok: boolean; readonly message: string; readonly remedy: string | null }) => (
  <>
    <Status meaning={ok ? 'good' : 'bad'} word={ok ? 'done' : 'not done'} />
    <span className="min-w-0 [overflow-wrap:anywhere]">{toVisibleText(message)}</span>
    {remedy === null || remedy === '' ? null : <Remedy text={remedy} />}
  </>
);

function TestResult({ serverKey, testId }: { readonly serverKey: string; readonly testId: string }) {
  const { test, error } = useConnectionTest(serverKey, testId);
  if (error !== null) return <Told ok={false} message={`The test cannot be followed: ${error.message}`} remedy={null} />;
  const result = test?.result ?? null;
  if (result === null) return <Status meaning="working" word="testing" />;
  return result.ok ? (
    <Told ok message={result.latencyMs === null ? 'It works.' : `It works; the first answer took ${formatDuration(result.latencyMs)}.`} remedy={null} />
  ) : (
    <Told ok={false} message={result.failure?.message ?? 'It does not work.'} remedy={result.failure?.remediation ?? null} />
  );
}
