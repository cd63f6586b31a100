'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useRef, useState, type UIEvent } from 'react';
import { partnerOf, type WireMatch } from '@/lib/pool';
import { Button } from '../../ui/button';
import type { TrafficItem } from './traffic-items';
import { ConnectionLine, GapLine, MessageLine, TrafficHeadings } from './traffic-row';

const ROW_REM = 2;
/** Where nothing else is set. */
const REM_PX = 16;
/** Scrolled less than this from its end the list follows what comes, in px. */
const AT_END_PX = 24;
const ALONE: WireMatch = { kind: 'alone' };

interface TrafficListProps {
  readonly items: readonly TrafficItem[];
  readonly matches: ReadonlyMap<number, WireMatch>;
  readonly selected: number | null;
  readonly isPaused: boolean;
  readonly onSelect: (number: number) => void;
}

const toRowHeight = (): number => ROW_REM * (typeof document === 'undefined' ? REM_PX : Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || REM_PX);

const newestOf = (items: readonly TrafficItem[]): number => {
  const last = items.at(-1);
  return last?.kind === 'message' ? last.row.number : 0;
};

/** The messages, oldest first, drawn where they are looked at. It follows its end until a reader goes elsewhere. */
export function TrafficList({ items, matches, selected, isPaused, onSelect }: TrafficListProps) {
  const scrollRef = useRef<HTMLDivElement>(null);
  /** The newest message when the reader left the end; null while they are there. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const newest = newestOf(items);
  // A reader who looks at a message stays where it stands, also at the end.
  if (selected !== null && leftAt === null && newest > 0) setLeftAt(newest);
  const follows = leftAt === null && !isPaused;
  const waiting = leftAt === null || isPaused ? 0 : items.filter((item) => item.kind === 'message' && item.row.number > leftAt).length;

  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this component alone, as it must
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: toRowHeight,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 12,
    // The server draws the first screen.
    initialRect: { width: 1200, height: 600 },
  });
  const last = items.length - 1;
  useEffect(() => {
    if (follows && last >= 0) virtualizer.scrollToIndex(last, { align: 'end' });
  }, [follows, last, virtualizer]);
  const selectedIndex = selected === null ? -1 : items.findIndex((item) => item.kind === 'message' && item.row.number === selected);
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);

  const lastTop = useRef(0);
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight < AT_END_PX;
    // By itself the list scrolls downwards alone.
    const goesUp = scrollTop < lastTop.current - 1;
    lastTop.current = scrollTop;
    if (isAtEnd && leftAt !== null && selected === null) setLeftAt(null);
    if (!isAtEnd && goesUp && leftAt === null) setLeftAt(newest);
  };

  const highlighted = pointed ?? selected;
  const partner = highlighted === null ? null : partnerOf(matches.get(highlighted) ?? ALONE);
  return (
    <div className="@container relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <p role="status" className="sr-only">{waiting > 0 ? 'Newer messages wait at the end of the list.' : ''}</p>
      <div role="table" aria-label="Messages" aria-rowcount={items.length + 1} className="flex min-h-0 flex-1 flex-col">
        <div role="rowgroup">
          <TrafficHeadings />
        </div>
        <div
          ref={scrollRef}
          role="rowgroup"
          tabIndex={0}
          aria-label="Messages, newest last"
          onScroll={onScroll}
          className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
        >
          <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start, size }) => {
              const item = items[index];
              if (item === undefined) return null;
              const place = { top: start, height: size, index: index + 2 };
              if (item.kind === 'gap') return <GapLine key={item.key} {...place} count={item.count} />;
              if (item.kind === 'connection') return <ConnectionLine key={item.key} {...place} connection={item.connection} goesOn={item.goesOn} />;
              const { row } = item;
              return (
                <MessageLine
                  key={item.key}
                  {...place}
                  row={row}
                  match={matches.get(row.number) ?? ALONE}
                  standing={row.number === selected ? 'selected' : row.number === partner ? 'partner' : 'plain'}
                  onSelect={onSelect}
                  onPoint={setPointed}
                />
              );
            })}
          </div>
        </div>
      </div>
      {waiting > 0 ? (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 z-10 flex justify-center">
          <Button
            size="small"
            variant="primary"
            className="pointer-events-auto shadow-float"
            icon={<ArrowDown size={12} aria-hidden="true" />}
            onClick={() => {
              setLeftAt(selected === null ? null : newest);
              virtualizer.scrollToIndex(last, { align: 'end' });
            }}
          >
            {waiting} new
          </Button>
        </div>
      ) : null}
    </div>
  );
}
