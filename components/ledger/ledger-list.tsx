'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { LedgerRow } from '@/lib/ledger';
import { Button } from '../ui/button';
import { LedgerHeadings, LedgerRowLine } from './ledger-row';
import { holdNewer } from './merge-rows';

const ROW_REM = 2;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20;
/** Scrolled less than this the reader is at the top, in px. */
const AT_TOP_PX = 8;

interface LedgerListProps {
  readonly rows: readonly LedgerRow[];
  readonly selected: number | null;
  readonly onSelect: (sequence: number) => void;
  readonly more: boolean;
  readonly onMore: () => void;
  /** Changes when the list is another one: the place in it starts anew. */
  readonly listKey: string;
}

const toRowHeight = (): number =>
  typeof document === 'undefined' ? ROW_REM * 16 : ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The rows, drawn where they are looked at; newer ones wait at the top unless the reader is there. */
export function LedgerList({ rows, selected, onSelect, more, onMore, listKey }: LedgerListProps) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ readonly key: string; readonly heldAt: number | null }>({ key: listKey, heldAt: null });
  const newest = rows[0]?.sequence ?? 0;
  // A reader who looks at an entry stays where it stands, also at the top.
  const heldAt = place.key === listKey ? place.heldAt : null;
  const stepsPastHold = selected !== null && (heldAt === null || (selected > heldAt && selected <= newest));
  if (stepsPastHold && newest > 0) setPlace({ key: listKey, heldAt: newest });
  const { shown, waiting } = holdNewer(rows, heldAt);

  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this component alone, as it must
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: toRowHeight,
    getItemKey: (index) => shown[index]?.sequence ?? index,
    overscan: 12,
    // The server draws the first screen.
    initialRect: { width: 1200, height: 800 },
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const wantsMore = more && last >= shown.length - AHEAD;
  useEffect(() => {
    if (wantsMore) onMore();
  }, [wantsMore, onMore]);

  const selectedIndex = selected === null ? -1 : shown.findIndex((row) => row.sequence === selected);
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);

  const follow = () => {
    setPlace({ key: listKey, heldAt: null });
    scrollRef.current?.scrollTo({ top: 0 });
  };
  const onScroll = () => {
    const atTop = (scrollRef.current?.scrollTop ?? 0) < AT_TOP_PX;
    if (atTop && heldAt !== null && selected === null) setPlace({ key: listKey, heldAt: null });
    if (!atTop && heldAt === null) setPlace({ key: listKey, heldAt: newest });
  };

  return (
    <div className="@container relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <p role="status" className="sr-only">{waiting > 0 ? 'Newer calls wait at the top of the list.' : ''}</p>
      {waiting > 0 ? (
        <div className="pointer-events-none absolute inset-x-0 top-10 z-10 flex justify-center">
          <Button
            size="small"
            variant="primary"
            className="pointer-events-auto shadow-float"
            icon={<ArrowUp size={12} aria-hidden="true" />}
            onClick={follow}
          >
            {waiting} new
          </Button>
        </div>
      ) : null}
      <div role="table" aria-label="Calls" aria-rowcount={more ? -1 : shown.length + 1} className="flex min-h-0 flex-1 flex-col">
        <div role="rowgroup">
          <LedgerHeadings />
        </div>
        <div
          ref={scrollRef}
          role="rowgroup"
          tabIndex={0}
          aria-label="Calls, newest first: j and k walk, Enter opens"
          onScroll={onScroll}
          className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
        >
          <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {items.map((item) => {
              const row = shown[item.index];
              if (row === undefined) return null;
              return (
                <LedgerRowLine
                  key={row.sequence}
                  row={row}
                  index={item.index + 1}
                  top={item.start}
                  height={item.size}
                  selected={row.sequence === selected}
                  onSelect={onSelect}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}
