'use client';

import type { Route } from 'next';
import Link from 'next/link';
import { useEffect, useRef, type ReactNode } from 'react';
import { cx } from './cx';

interface TabLink {
  readonly key: string;
  readonly label: ReactNode;
  readonly href: string;
  /** Beside the label, such as how many there are. */
  readonly note?: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly TabLink[];
  readonly current: string;
  /** Keep the page's place: for tabs that stand in the middle of a page. */
  readonly keepScroll?: boolean;
}

/** Tabs are links: the one that is open is in the URL, and each opens in a window of its own if asked. */
export function Tabs({ label, tabs, current, keepScroll = false }: TabsProps) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = frame.current?.querySelector<HTMLElement>('[aria-current]');
    // Only sideways, so that no page moves under its reader.
    if (frame.current !== null && tab != null) frame.current.scrollLeft = tab.offsetLeft - (frame.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return (
    <nav ref={frame} aria-label={label} className="relative flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => {
        const isCurrent = tab.key === current;
        return (
          <Link
            key={tab.key}
            // Addresses that carry keys and filters are made at run time, beyond what typed routes can check.
            href={tab.href as Route}
            scroll={!keepScroll}
            aria-current={isCurrent ? 'page' : undefined}
            className={cx(
              'flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-3 focus-visible:-outline-offset-2',
              isCurrent ? 'border-accent font-medium text-text' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {tab.label}
            {tab.note === undefined ? null : <span className="text-xs text-faint">{tab.note}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
