import { describeFailed, type CallShare, type LatencyColumn } from '@/lib/health';
import { LatencyPlot } from './latency-plot';

/** How a server was over the last day, on its card: how quickly it answered, and how many calls failed. */
export function CardHealth({ latency, calls }: { readonly latency: readonly LatencyColumn[]; readonly calls: CallShare }) {
  if (latency.length === 0 && calls.ended === 0) return null;
  return (
    <p className="flex items-end gap-2 text-sm text-muted">
      <LatencyPlot columns={latency} />
      {calls.ended === 0 ? null : <span title={`${calls.ended} calls over the last day, ${calls.unknown} not known`}>{describeFailed(calls)}</span>}
    </p>
  );
}
