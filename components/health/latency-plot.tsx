'use client';

import { COLUMN_MS, describeLatency, toPlotBars, type LatencyColumn } from '@/lib/health';
import { useNow } from '../ui/use-now';

const WIDTH = 96;
const HEIGHT = 18;

/** How long answers took over the last day, in half hours; a column with an unanswered check is full and crossed. */
export function LatencyPlot({ columns }: { readonly columns: readonly LatencyColumn[] }) {
  const now = useNow();
  // It moves on by whole columns; on the server there is no now yet.
  const bars = now === null ? [] : toPlotBars(columns, Math.ceil(now / COLUMN_MS) * COLUMN_MS);
  return (
    <svg role="img" aria-label={describeLatency(columns)} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} className="shrink-0">
      <title>{describeLatency(columns)}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line" />
      {bars.map(({ x, width, height, kind }) => {
        const place = { x: x * WIDTH, width: Math.max(1, width * WIDTH - 0.5), y: HEIGHT * (1 - height), height: HEIGHT * height };
        return kind === 'answered' ? (
          <rect key={x} {...place} className="fill-muted" />
        ) : (
          <g key={x} className="stroke-bad">
            <rect {...place} className="fill-bad-soft" strokeWidth="0" />
            <path d={`M${place.x} ${HEIGHT}L${place.x + place.width} 0`} />
          </g>
        );
      })}
    </svg>
  );
}
