'use client';

import { MoreHorizontal } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState, type ReactNode } from 'react';
import { iconButtonClasses } from './button-classes';
import type { MenuItem } from './menu-item';

const loadPopup = () => import('./menu-popup');
// Positioning and typeahead are fetched on the first sign of interest: no first paint pays for them.
const MenuPopup = lazy(loadPopup);

interface MenuProps {
  /** Names the button: "More for files". */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** What the button shows; three dots without one. */
  readonly icon?: ReactNode;
  /** In place of the look of a square icon button. */
  readonly className?: string;
}

/** A button that opens a list of actions. */
export function Menu({ label, items, icon, className }: MenuProps) {
  const [open, setOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const landmarkRef = useRef<HTMLElement>(null);
  const popupId = useId();
  const prefetch = () => void loadPopup();
  const show = () => {
    landmarkRef.current = buttonRef.current?.closest<HTMLElement>('main, header, nav') ?? document.body;
    setOpen(true);
  };
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? popupId : undefined}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={show}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show();
        }}
        className={className ?? iconButtonClasses('quiet', 'normal')}
      >
        {icon ?? <MoreHorizontal size={16} aria-hidden="true" />}
      </button>
      {open ? (
        <Suspense fallback={null}>
          <MenuPopup id={popupId} label={label} items={items} anchorRef={buttonRef} landmarkRef={landmarkRef} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
