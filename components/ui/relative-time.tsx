'use client';

import { toIso } from '@/lib/core';
import { formatDateTime, formatMoment, formatRelative, formatUtc } from './format-time';
import { useNow } from './use-now';

interface TimeProps {
  readonly at: number;
  readonly className?: string;
}

/** `2 min ago`, moving on by itself; the exact time is its tooltip. */
export function RelativeTime({ at, className }: TimeProps) {
  const now = useNow();
  return (
    <time dateTime={toIso(at)} title={now === null ? formatUtc(at) : formatDateTime(at)} className={className}>
      {now === null ? formatUtc(at) : formatRelative(at, now)}
    </time>
  );
}

/** The exact time in the reader's zone. */
export function DateTime({ at, className }: TimeProps) {
  const now = useNow();
  return (
    <time dateTime={toIso(at)} title={formatUtc(at)} className={className}>
      {now === null ? formatUtc(at) : formatDateTime(at)}
    </time>
  );
}

/** The time of day for today, else the date too: for tables in order of time. */
export function Moment({ at, className }: TimeProps) {
  const now = useNow();
  return (
    <time dateTime={toIso(at)} title={now === null ? formatUtc(at) : formatDateTime(at)} className={className}>
      {now === null ? toIso(at).slice(11, 19) : formatMoment(at, now)}
    </time>
  );
}
