'use client';

import { X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { IconButton } from './icon-button';

interface SidePanelProps {
  /** Names the panel: "ev_0014, remote, scan". */
  readonly label: string;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Detail beside a list that stays in view; the whole screen on a phone. Escape closes it. */
export function SidePanel({ label, title, onClose, actions, children }: SidePanelProps) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onClose]);
  return (
    <aside
      aria-label={label}
      className="fixed inset-0 z-40 flex min-h-0 flex-col border-line bg-surface md:static md:z-auto md:w-[26rem] md:shrink-0 md:border-l lg:w-[32rem]"
    >
      <div className="flex min-h-12 items-center gap-2 border-b border-line px-4 py-1">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
        {actions}
        <IconButton label="Close the panel" icon={<X size={16} aria-hidden="true" />} onClick={onClose} />
      </div>
      <div tabIndex={0} role="region" aria-label={label} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 focus-visible:-outline-offset-2">
        {children}
      </div>
    </aside>
  );
}
