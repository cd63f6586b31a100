'use client';

import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject, type UIEvent } from 'react';
import { Button } from './button';
import { cx } from './cx';

/** Where nothing else is set. */
const REM_PX = 16;

const toRemPx = (): number =>
  typeof document === 'undefined' ? REM_PX : Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || REM_PX;

interface VirtualRowsOptions {
  readonly count: number;
  /** What a row is known by, whatever comes before it. */
  readonly keyOf: (index: number) => string | number;
  /** The height of a row, in rem. */
  readonly heightOf: (index: number, isNarrow: boolean) => number;
}

/** The rows of a list that are looked at, and how to go to one. */
export interface VirtualRows {
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
}

/** Narrower than this, as the container variant `@2xl` says it, a row may take two lines. In rem. */
const NARROW_REM = 42;

export function useVirtualRows({ count, keyOf, heightOf }: VirtualRowsOptions): VirtualRows {
  const scrollRef = useRef<HTMLDivElement>(null);
  const [isNarrow, setIsNarrow] = useState(false);
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this hook alone, as it must
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => heightOf(index, isNarrow) * toRemPx(),
    getItemKey: keyOf,
    overscan: 12,
    // The server draws the first screen.
    initialRect: { width: 1200, height: 800 },
  });
  useEffect(() => {
    const element = scrollRef.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setIsNarrow(element.clientWidth > 0 && element.clientWidth < NARROW_REM * toRemPx()));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => virtualizer.measure(), [isNarrow, virtualizer]);
  return { scrollRef, virtualizer };
}

interface VirtualTableProps {
  /** What the rows are: "Calls". */
  readonly label: string;
  /** The same with their order, and how to walk them. */
  readonly rowsLabel: string;
  /** With the headings; -1 while it is not known. */
  readonly rowCount: number;
  readonly headings: ReactNode;
  readonly rows: VirtualRows;
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void;
  /** Rows that came meanwhile and would move what is being read; they are shown at a press. */
  readonly waiting: { readonly count: number; readonly at: 'start' | 'end'; readonly sentence: string; readonly onShow: () => void };
  readonly children: (item: VirtualItem) => ReactNode;
}

/** The frame of a long list: its headings, its rows drawn where they are looked at, and what waits beyond them. */
export function VirtualTable({ label, rowsLabel, rowCount, headings, rows: { scrollRef, virtualizer }, onScroll, waiting, children }: VirtualTableProps) {
  const Arrow = waiting.at === 'start' ? ArrowUp : ArrowDown;
  return (
    <div className="@container relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <p role="status" className="sr-only">{waiting.count > 0 ? waiting.sentence : ''}</p>
      {waiting.count > 0 ? (
        <div className={cx('pointer-events-none absolute inset-x-0 z-10 flex justify-center', waiting.at === 'start' ? 'top-10' : 'bottom-3')}>
          <Button size="small" variant="primary" className="pointer-events-auto shadow-float" icon={<Arrow size={12} aria-hidden="true" />} onClick={waiting.onShow}>
            {waiting.count.toLocaleString('en')} new
          </Button>
        </div>
      ) : null}
      <div role="table" aria-label={label} aria-rowcount={rowCount} className="flex min-h-0 flex-1 flex-col">
        <div role="rowgroup">{headings}</div>
        <div ref={scrollRef} role="rowgroup" tabIndex={0} aria-label={rowsLabel} onScroll={onScroll} className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2">
          <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(children)}
          </div>
        </div>
      </div>
    </div>
  );
}
