'use client';

import { formatBytes, formatDuration, toVisibleText } from '@/lib/core';
import { describeFailed, type HealthRow } from '@/lib/health';
import { toStateLook } from '../servers/state-look';
import { Remedy } from '../ui/callout';
import { RelativeTime } from '../ui/relative-time';
import { Status } from '../ui/status';
import { TextLink } from '../ui/text-link';
import { LatencyPlot } from './latency-plot';

/** What stands in the cells of a server, in the table and in the narrow list alike. */

export function StateCell({ row }: { readonly row: HealthRow }) {
  const { state, since } = row;
  const look = toStateLook(state);
  return (
    <span className="flex flex-col">
      <Status meaning={look.meaning} word={look.word} />
      <span className="text-xs whitespace-nowrap text-muted">
        {since === null ? null : <>since <RelativeTime at={since} /></>}
        {state.name === 'resting' && state.untilAt !== null ? <>, until <RelativeTime at={state.untilAt} /></> : null}
        {state.name === 'failing' && state.nextTryAt !== null ? <>, next try <RelativeTime at={state.nextTryAt} /></> : null}
      </span>
    </span>
  );
}

export function FailureCell({ row }: { readonly row: HealthRow }) {
  const failure = row.lastFailure;
  if (failure === null) return <span className="text-muted">none on record</span>;
  const isNow = ['failing', 'resting', 'sign_in_needed'].includes(row.state.name);
  return (
    <details className="max-w-prose min-w-48" open={isNow}>
      <summary className="cursor-pointer [overflow-wrap:anywhere]">
        <RelativeTime at={failure.at} className="text-muted" />: {toVisibleText(failure.message)}
      </summary>
      {failure.remediation === '' ? null : <Remedy text={failure.remediation} />}
    </details>
  );
}

export const LatencyCell = ({ row }: { readonly row: HealthRow }) => (
  <span className="flex items-end gap-2 whitespace-nowrap">
    <LatencyPlot columns={row.latency} />
    <span className="text-muted">{row.latencyMs === null ? '–' : formatDuration(row.latencyMs)}</span>
  </span>
);

/** The share of failed calls, with a link to them. */
export function FailedCell({ row }: { readonly row: HealthRow }) {
  const { ended, failed, unknown } = row.calls;
  if (ended === 0) return <span className="text-muted">no calls</span>;
  const search = new URLSearchParams([['server', row.key], ['outcome', 'tool_error'], ['outcome', 'protocol_error'], ['outcome', 'not_sent']]);
  return (
    <span className="flex flex-col whitespace-nowrap">
      {failed === 0 ? describeFailed(row.calls) : <TextLink href={`/ledger?${search}`}>{describeFailed(row.calls)}</TextLink>}
      <span className="text-xs text-muted">of {ended}{unknown === 0 ? '' : `, ${unknown} not known`}</span>
    </span>
  );
}

export const QueueCell = ({ row: { load } }: { readonly row: HealthRow }) => (
  <span className="whitespace-nowrap">{load.queued} queued{load.inFlight === 0 ? '' : `, ${load.inFlight} in flight`}</span>
);

export function ProcessCell({ row }: { readonly row: HealthRow }) {
  if (row.process === null) return <span className="text-muted">–</span>;
  const { processId, residentBytes, processes, startedAt } = row.process;
  return (
    <span className="flex flex-col whitespace-nowrap">
      <span>{formatBytes(residentBytes)}{processes > 1 ? ` in ${processes} processes` : ''}</span>
      <span className="text-xs text-muted"><span className="font-mono">{processId}</span>, started <RelativeTime at={startedAt} /></span>
    </span>
  );
}
