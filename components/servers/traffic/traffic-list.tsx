'use client';

import { useEffect, useRef, useState, type UIEvent } from 'react';
import { partnerOf, type WireMatch } from '@/lib/pool';
import { useVirtualRows, VirtualTable } from '../../ui/virtual-table';
import type { TrafficItem } from './traffic-items';
import { ConnectionLine, GapLine, MessageLine, TrafficHeadings } from './traffic-row';

const ROW_REM = 2;
/** Of a message in a narrow list, which takes two lines. */
const TWO_LINES_REM = 3;
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

const newestOf = (items: readonly TrafficItem[]): number => {
  const last = items.at(-1);
  return last?.kind === 'message' ? last.row.number : 0;
};

/** The messages, oldest first, drawn where they are looked at. It follows its end until a reader goes elsewhere. */
export function TrafficList({ items, matches, selected, isPaused, onSelect }: TrafficListProps) {
  /** The newest message when the reader left the end; null while they are there. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const newest = newestOf(items);
  // A reader who looks at a message stays where it stands, also at the end.
  if (selected !== null && leftAt === null && newest > 0) setLeftAt(newest);
  const follows = leftAt === null && !isPaused;
  const waiting = leftAt === null || isPaused ? 0 : items.filter((item) => item.kind === 'message' && item.row.number > leftAt).length;

  const rows = useVirtualRows({
    count: items.length,
    keyOf: (index) => items[index]?.key ?? index,
    heightOf: (index, isNarrow) => (isNarrow && items[index]?.kind === 'message' ? TWO_LINES_REM : ROW_REM),
  });
  const { virtualizer } = rows;
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
    <VirtualTable
      label="Messages"
      rowsLabel="Messages, newest last"
      rowCount={items.length + 1}
      headings={<TrafficHeadings />}
      rows={rows}
      onScroll={onScroll}
      waiting={{
        count: waiting,
        at: 'end',
        sentence: 'Newer messages wait at the end of the list.',
        onShow: () => {
          setLeftAt(selected === null ? null : newest);
          virtualizer.scrollToIndex(last, { align: 'end' });
        },
      }}
    >
      {({ index, start, size }) => {
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
      }}
    </VirtualTable>
  );
}
