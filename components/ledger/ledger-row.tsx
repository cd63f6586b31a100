'use client';

import type { Route } from 'next';
import Link from 'next/link';
import { formatBytes, formatDuration, toVisibleText } from '@/lib/core';
import type { LedgerRow } from '@/lib/ledger';
import { cx } from '../ui/cx';
import { Moment } from '../ui/relative-time';
import { useNow } from '../ui/use-now';
import { OutcomeStatus } from './outcome-status';

/** The columns that a narrow list leaves out, least needed first. */
const WIDE = 'hidden @4xl:block';
const MIDDLE = 'hidden @2xl:block';

/** One grid for the headings and every row. */
const gridClasses =
  'grid items-center gap-x-3 px-4 grid-cols-[4.5rem_minmax(0,1fr)_9.5rem] ' +
  '@2xl:grid-cols-[9.5rem_minmax(0,8rem)_minmax(0,1fr)_10rem_5rem] ' +
  '@4xl:grid-cols-[9.5rem_4.5rem_minmax(0,9rem)_minmax(0,1fr)_minmax(0,10rem)_10rem_5rem_5rem]';

export const LedgerHeadings = () => (
  <div role="row" className={cx(gridClasses, 'h-8 border-b border-line text-xs font-medium text-muted')}>
    <span role="columnheader">Time</span>
    <span role="columnheader" className={WIDE}>Entry</span>
    <span role="columnheader" className={MIDDLE}>Server</span>
    <span role="columnheader">Tool</span>
    <span role="columnheader" className={WIDE}>Actor</span>
    <span role="columnheader">Outcome</span>
    <span role="columnheader" className={cx(MIDDLE, 'text-right')}>Duration</span>
    <span role="columnheader" className={cx(WIDE, 'text-right')}>Size</span>
  </div>
);

interface LedgerRowLineProps {
  readonly row: LedgerRow;
  /** Its place in the whole table, from 1. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly selected: boolean;
  readonly onSelect: (sequence: number) => void;
}

export function LedgerRowLine({ row, index, top, height, selected, onSelect }: LedgerRowLineProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-current={selected || undefined}
      onClick={(event) => {
        // A press on the link, or one that opens a window of its own, is the link's.
        if (event.target instanceof Element && event.target.closest('a') !== null) return;
        onSelect(row.sequence);
      }}
      className={cx(gridClasses, 'absolute inset-x-0 cursor-pointer border-b border-line text-sm', selected ? 'bg-selected' : 'hover:bg-hover')}
      style={{ top, height }}
    >
      <span role="cell" className="truncate text-muted">
        <Moment at={row.requestedAt} />
      </span>
      <span role="cell" className={cx(WIDE, 'truncate font-mono text-xs text-muted')}>{row.entryId}</span>
      <span role="cell" className={cx(MIDDLE, 'truncate')}>{row.serverKey}</span>
      <span role="cell" className="truncate">
        {/* Addresses with a number are made at run time, beyond what typed routes can check. */}
        <Link href={`/ledger/${row.sequence}` as Route} prefetch={false} className="hover:underline">
          {toVisibleText(row.tool)}
        </Link>
        {row.plumbing ? <span className="text-xs text-faint"> plumbing</span> : null}
      </span>
      <span role="cell" className={cx(WIDE, 'truncate text-muted')} title={toVisibleText(row.actorName)}>
        {toVisibleText(row.actorName)}
      </span>
      <span role="cell" className="truncate" title={row.errorMessage === null ? undefined : toVisibleText(row.errorMessage)}>
        <OutcomeStatus outcome={row.outcome} sentAt={row.sentAt} />
      </span>
      <span role="cell" className={cx(MIDDLE, 'text-right text-muted')}>
        <Duration row={row} />
      </span>
      <span role="cell" className={cx(WIDE, 'text-right text-muted')}>{row.resultBytes === null ? '' : formatBytes(row.resultBytes)}</span>
    </div>
  );
}

function Duration({ row }: { readonly row: LedgerRow }) {
  if (row.finishedAt !== null) return formatDuration(row.finishedAt - row.requestedAt);
  return <RunningDuration since={row.requestedAt} />;
}

/** How long it has been running; ticks only while it is in view. */
function RunningDuration({ since }: { readonly since: number }) {
  const now = useNow();
  return now === null ? null : formatDuration(Math.max(0, now - since));
}
