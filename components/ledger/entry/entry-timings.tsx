'use client';

import { formatDuration } from '@/lib/core';
import type { LedgerEntry } from '@/lib/ledger';
import { cx } from '../../ui/cx';
import { DateTime } from '../../ui/relative-time';
import type { Meaning } from '../../ui/meaning';
import { useNow } from '../../ui/use-now';
import { toTimings } from './timings';

const BARS: Partial<Record<Meaning, string>> = { resting: 'bg-line-strong', working: 'bg-working', good: 'bg-good' };

/** Where a call's time went, as a waterfall. */
export function EntryTimings({ entry }: { readonly entry: LedgerEntry }) {
  const now = useNow();
  const { phases, totalMs } = toTimings(entry, now ?? entry.finishedAt ?? entry.firstByteAt ?? entry.sentAt ?? entry.requestedAt);
  const share = (ms: number): string => `${totalMs === 0 ? 0 : (ms / totalMs) * 100}%`;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="text-muted">
        Requested <DateTime at={entry.requestedAt} />
        {entry.finishedAt === null ? ', still going on' : `, ${formatDuration(totalMs)} in all`}
      </p>
      <ul className="flex flex-col gap-1">
        {phases.map((phase) => (
          <li key={phase.name} className="grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)_5rem] items-center gap-2">
            <span className="truncate text-muted">{phase.word}</span>
            <span aria-hidden="true" className="relative h-2 bg-sunken">
              <span
                className={cx('absolute inset-y-0 min-w-0.5', BARS[phase.meaning], phase.open && 'animate-pulse-slow')}
                style={{ left: share(phase.startMs), width: share(phase.lengthMs) }}
              />
            </span>
            <span className="text-right">{phase.open ? `${formatDuration(phase.lengthMs)}…` : formatDuration(phase.lengthMs)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
