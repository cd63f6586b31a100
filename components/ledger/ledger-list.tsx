'use client';

import { useEffect, useState } from 'react';
import type { LedgerRow } from '@/lib/ledger';
import { useVirtualRows, VirtualTable } from '../ui/virtual-table';
import { LedgerHeadings, LedgerRowLine } from './ledger-row';
import { holdNewer } from './merge-rows';

const ROW_REM = 2;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20;
/** Between two readings of the newest page while more comes than is held, in ms. */
const REREAD_MS = 2000;
/** Scrolled less than this the reader is at the top, in px. */
const AT_TOP_PX = 8;

interface LedgerListProps {
  readonly rows: readonly LedgerRow[];
  readonly selected: number | null;
  readonly onSelect: (sequence: number) => void;
  readonly more: boolean;
  readonly onMore: () => void;
  /** How many newer ones came that are not among the rows, which `onReread` reads. */
  readonly passed: number;
  readonly onReread: () => Promise<void>;
  /** Changes when the list is another one: the place in it starts anew. */
  readonly listKey: string;
}

/** The rows, drawn where they are looked at; newer ones wait at the top unless the reader is there. */
export function LedgerList({ rows, selected, onSelect, more, onMore, passed, onReread, listKey }: LedgerListProps) {
  const [place, setPlace] = useState<{ readonly key: string; readonly heldAt: number | null }>({ key: listKey, heldAt: null });
  const newest = rows[0]?.sequence ?? 0;
  // A reader who looks at an entry stays where it stands, also at the top.
  const heldAt = place.key === listKey ? place.heldAt : null;
  const stepsPastHold = selected !== null && (heldAt === null || (selected > heldAt && selected <= newest));
  if (stepsPastHold && newest > 0) setPlace({ key: listKey, heldAt: newest });
  const { shown, waiting: held } = holdNewer(rows, heldAt);
  const waiting = heldAt === null ? 0 : held + passed;
  const followsMore = heldAt === null && passed > 0;
  useEffect(() => {
    if (!followsMore) return;
    void onReread();
    // Where it did not succeed, or more was passed over meanwhile.
    const again = setInterval(() => void onReread(), REREAD_MS);
    return () => clearInterval(again);
  }, [followsMore, onReread]);

  const virtual = useVirtualRows({ count: shown.length, keyOf: (index) => shown[index]?.sequence ?? index, heightOf: () => ROW_REM });
  const { scrollRef, virtualizer } = virtual;
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
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
    <VirtualTable
      label="Calls"
      rowsLabel="Calls, newest first: j and k walk, Enter opens"
      rowCount={more ? -1 : shown.length + 1}
      headings={<LedgerHeadings />}
      rows={virtual}
      onScroll={onScroll}
      waiting={{ count: waiting, at: 'start', sentence: 'Newer calls wait at the top of the list.', onShow: follow }}
    >
      {({ index, start, size }) => {
        const row = shown[index];
        if (row === undefined) return null;
        return <LedgerRowLine key={row.sequence} row={row} index={index + 1} top={start} height={size} selected={row.sequence === selected} onSelect={onSelect} />;
      }}
    </VirtualTable>
  );
}
