'use client';

import { ArrowLeft, ArrowRight } from 'lucide-react';
import { formatBytes, toVisibleText } from '@/lib/core';
import { methodOf, type WireConnection, type WireMatch, type WireRow } from '@/lib/pool';
import { cx } from '../../ui/cx';
import type { Meaning } from '../../ui/meaning';
import { Moment } from '../../ui/relative-time';
import { Status } from '../../ui/status';
import { describeConnection } from './describe-connection';
import { toKindLook, toMatchLook } from './match-look';

/** The columns that a narrow list leaves out, least needed first. */
const WIDE = 'hidden @4xl:block';
const MIDDLE = 'hidden @2xl:block';
const SECOND_LINE = '@max-2xl:row-start-2';

/** One grid for the headings and every row; in a narrow list a row has two lines, the method alone in the first. */
const gridClasses =
  'grid items-center gap-x-3 border-l-2 px-3 grid-cols-[1.25rem_auto_minmax(0,1fr)_auto] ' +
  '@2xl:grid-cols-[5.75rem_1.25rem_6rem_minmax(0,1fr)_4.5rem_8.5rem] ' +
  '@4xl:grid-cols-[11rem_5.5rem_7.5rem_minmax(0,1fr)_minmax(0,7rem)_5rem_12rem]';

export const TrafficHeadings = () => (
  <div role="row" className={cx(gridClasses, 'h-8 border-b border-line border-l-transparent text-xs font-medium text-muted @max-2xl:sr-only')}>
    <span role="columnheader">Time</span>
    <span role="columnheader"><span className="sr-only @4xl:not-sr-only">Direction</span></span>
    <span role="columnheader">Kind</span>
    <span role="columnheader">Method</span>
    <span role="columnheader" className={WIDE}>Id</span>
    <span role="columnheader" className={cx(MIDDLE, 'text-right')}>Size</span>
    <span role="columnheader">Answer</span>
  </div>
);

interface MessageLineProps {
  readonly row: WireRow;
  readonly match: WireMatch;
  readonly top: number;
  readonly height: number;
  readonly index: number;
  readonly standing: 'selected' | 'partner' | 'plain';
  readonly onSelect: (number: number) => void;
  readonly onPoint: (number: number | null) => void;
}

export function MessageLine({ row, match, top, height, index, standing, onSelect, onPoint }: MessageLineProps) {
  const kind = toKindLook(row);
  const answer = toMatchLook(match);
  const method = methodOf(row, match);
  const Arrow = row.direction === 'sent' ? ArrowRight : ArrowLeft;
  return (
    <div
      role="row"
      aria-rowindex={index}
      aria-current={standing === 'selected' || undefined}
      onClick={() => onSelect(row.number)}
      onPointerEnter={() => onPoint(row.number)}
      onPointerLeave={() => onPoint(null)}
      className={cx(
        gridClasses,
        'absolute inset-x-0 cursor-pointer content-center overflow-hidden border-b border-line text-sm',
        standing === 'selected' ? 'border-l-accent bg-selected' : standing === 'partner' ? 'border-l-accent bg-hover' : 'border-l-transparent hover:bg-hover',
      )}
      style={{ top, height }}
    >
      <span role="cell" className={cx(SECOND_LINE, 'truncate font-mono text-xs text-muted @max-2xl:col-start-2')}>
        <Moment at={row.at} />
        <span className="hidden @2xl:inline">.{String(row.at % 1000).padStart(3, '0')}</span>
      </span>
      <span role="cell" className="inline-flex items-center gap-1 text-muted @max-2xl:col-start-1 @max-2xl:row-start-1">
        <Arrow size={14} aria-hidden="true" className="shrink-0" />
        <span className="sr-only @4xl:not-sr-only">{row.direction}</span>
      </span>
      <span role="cell" className={cx(SECOND_LINE, 'truncate @max-2xl:col-start-3')}>
        {kind.meaning === null ? <span className="text-muted">{kind.word}</span> : <Status meaning={kind.meaning} word={kind.word} />}
      </span>
      <span role="cell" className="flex min-w-0 items-center @max-2xl:col-[2/5] @max-2xl:row-start-1 @2xl:h-full">
        <button type="button" className="min-h-6 min-w-0 flex-1 @2xl:h-full truncate text-left font-mono text-xs hover:underline">
          {method === null ? kind.word : toVisibleText(method)}
          {standing === 'partner' ? <span className="sr-only">, belongs to what is chosen</span> : null}
        </button>
      </span>
      <span role="cell" className={cx(WIDE, 'truncate font-mono text-xs text-muted')}>{toIdWord(row)}</span>
      <span role="cell" className={cx(MIDDLE, 'text-right text-muted')}>{formatBytes(row.sizeBytes)}</span>
      <span role="cell" className={cx(SECOND_LINE, 'truncate @max-2xl:col-start-4')}>
        <span className="hidden @4xl:inline"><AnswerWord meaning={answer.meaning} word={answer.word} /></span>
        <span className="@4xl:hidden"><AnswerWord meaning={answer.meaning} word={answer.short ?? answer.word} /></span>
      </span>
    </div>
  );
}

const AnswerWord = ({ meaning, word }: { readonly meaning: Meaning | null; readonly word: string }) =>
  meaning === null ? <span className="text-muted">{word}</span> : <Status meaning={meaning} word={word} />;

/** Its id, or that of the request which it speaks of. */
function toIdWord({ id, about }: WireRow): string {
  if (id !== null) return toVisibleText(String(id));
  return about === null ? '' : `of ${toVisibleText(String(about))}`;
}

interface RuleLineProps {
  readonly top: number;
  readonly height: number;
  readonly index: number;
}

const ruleClasses = 'absolute inset-x-0 flex items-center gap-2 overflow-hidden border-b border-line bg-sunken px-3 text-xs whitespace-nowrap text-muted';

export const ConnectionLine = ({ connection, goesOn, top, height, index }: RuleLineProps & { readonly connection: WireConnection; readonly goesOn: boolean }) => (
  <div role="row" aria-rowindex={index} className={ruleClasses} style={{ top, height }}>
    <span role="cell" className="truncate">
      <span className="font-medium text-text">{describeConnection(connection)}</span>
      {goesOn ? ', goes on' : <>, opened <Moment at={connection.openedAt} /></>}
      {connection.endedAt === null ? null : <>, ended <Moment at={connection.endedAt} /></>}
    </span>
  </div>
);

export const GapLine = ({ count, top, height, index }: RuleLineProps & { readonly count: number }) => (
  <div role="row" aria-rowindex={index} className={ruleClasses} style={{ top, height }}>
    <span role="cell" className="truncate">{count === 1 ? 'one message is' : `${count} messages are`} no longer kept</span>
  </div>
);
