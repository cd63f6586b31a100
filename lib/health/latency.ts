import { formatDuration } from '@/lib/core';

/** The span that the small plot shows, and the width of one of its columns, in ms. */
export const PLOT_MS = 24 * 60 * 60_000;
export const COLUMN_MS = 30 * 60_000;

/** The checks and tests of one column of the plot. */
export interface LatencyColumn {
  readonly at: number;
  /** Of those that were answered; null where none was. */
  readonly meanMs: number | null;
  readonly maxMs: number | null;
  readonly unanswered: number;
}

/** What a plot says, in a sentence: for those who do not see it. */
export function describeLatency(columns: readonly LatencyColumn[]): string {
  const means = columns.flatMap(({ meanMs }) => meanMs ?? []);
  const maxima = columns.flatMap(({ maxMs }) => maxMs ?? []);
  const unanswered = columns.reduce((sum, column) => sum + column.unanswered, 0);
  if (means.length === 0 && unanswered === 0) return 'Latency over the last day: no checks yet.';
  const answered =
    means.length === 0
      ? 'no check was answered'
      : `${formatDuration(Math.min(...means))} to ${formatDuration(Math.max(...means))} on average, ${formatDuration(Math.max(...maxima))} at most`;
  return `Latency over the last day: ${answered}; ${unanswered === 0 ? 'no check' : unanswered === 1 ? '1 check' : `${unanswered} checks`} without an answer.`;
}

export interface PlotBar {
  /** From 0, the left edge, to 1. */
  readonly x: number;
  readonly width: number;
  /** From 0 to 1; at least a sliver, so that a quick answer is seen too. */
  readonly height: number;
  readonly kind: 'answered' | 'unanswered';
}

const SLIVER = 0.06;

/** The bars of the plot that ends at `now`. Their scale is the slowest column's; a column without an answer is full. */
export function toPlotBars(columns: readonly LatencyColumn[], now: number): readonly PlotBar[] {
  const from = now - PLOT_MS;
  const width = COLUMN_MS / PLOT_MS;
  const most = Math.max(1, ...columns.flatMap(({ meanMs }) => meanMs ?? []));
  return columns.flatMap(({ at, meanMs, unanswered }): readonly PlotBar[] => {
    const x = (at - from) / PLOT_MS;
    if (x + width <= 0 || x >= 1) return [];
    const place = { x: Math.max(0, x), width: Math.min(width, 1 - Math.max(0, x)) };
    if (unanswered > 0) return [{ ...place, height: 1, kind: 'unanswered' }];
    return meanMs === null ? [] : [{ ...place, height: Math.max(SLIVER, meanMs / most), kind: 'answered' }];
  });
}
