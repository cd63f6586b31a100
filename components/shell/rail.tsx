'use client';

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { cx } from '../ui/cx';
import { DestinationLink } from './destination-link';
import { DESTINATIONS, isWithin } from './destinations';
import { RAIL_COOKIE, rememberChoice } from './theme';
import { Unread } from './unread';

/** The way to every page, at the left; it can be drawn in to its icons, which this device remembers. */
export function Rail({ startsCollapsed }: { readonly startsCollapsed: boolean }) {
  const pathname = usePathname();
  const [collapsed, setCollapsed] = useState(startsCollapsed);
  const toggle = () => {
    rememberChoice(RAIL_COOKIE, collapsed ? 'open' : 'collapsed');
    setCollapsed(!collapsed);
  };
  const ToggleIcon = collapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav
      aria-label="Pages"
      className={cx('sticky top-0 hidden h-dvh shrink-0 flex-col gap-1 border-r border-line bg-surface p-2 md:flex', collapsed ? 'w-12' : 'w-44')}
    >
      <div className={cx('flex h-8 items-center gap-2 font-semibold', collapsed ? 'justify-center' : 'px-2')}>
        <Lever />
        <span className={collapsed ? 'sr-only' : undefined}>Signalbox</span>
      </div>
      {DESTINATIONS.map((destination) => {
        const { href, label, icon: Icon } = destination;
        const isCurrent = isWithin(pathname, href);
        return (
          <DestinationLink
            key={href}
            destination={destination}
            isCurrent={isCurrent}
            title={collapsed ? label : undefined}
            className={cx(
              'relative flex h-8 items-center gap-2 rounded-sm hover:bg-hover',
              collapsed ? 'justify-center' : 'px-2',
              isCurrent ? 'bg-selected font-medium text-text' : 'text-muted',
            )}
          >
            <Icon size={16} aria-hidden="true" className="shrink-0" />
            <span className={collapsed ? 'sr-only' : undefined}>{label}</span>
            {href === '/inbox' ? <Unread className={collapsed ? 'absolute -top-0.5 right-0' : 'ml-auto'} /> : null}
          </DestinationLink>
        );
      })}
      <button
        type="button"
        onClick={toggle}
        aria-expanded={!collapsed}
        title={collapsed ? 'Show the names' : undefined}
        className={cx('mt-auto flex h-8 items-center gap-2 rounded-sm text-muted hover:bg-hover', collapsed ? 'justify-center' : 'px-2')}
      >
        <ToggleIcon size={16} aria-hidden="true" className="shrink-0" />
        <span className={collapsed ? 'sr-only' : undefined}>{collapsed ? 'Show the names' : 'Only icons'}</span>
      </button>
    </nav>
  );
}

/** The mark: three signals, each at its own height. */
const Lever = () => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className="shrink-0 text-accent">
    <path d="M3 14V2m5 12V2m5 12V2" stroke="currentColor" strokeOpacity="0.4" strokeWidth="1.5" />
    <g fill="currentColor">
      <circle cx="3" cy="10.5" r="2.25" />
      <circle cx="8" cy="5" r="2.25" />
      <circle cx="13" cy="8" r="2.25" />
    </g>
  </svg>
);
