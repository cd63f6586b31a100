'use client';

import { ChevronDown } from 'lucide-react';
import { createContext, useContext, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { buttonClasses } from './button-classes';

interface PopoverProps {
  /** What the button says, and the name of what opens. */
  readonly label: string;
  /** Beside the label, such as how many are chosen. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

const CloseContext = createContext<() => void>(() => undefined);

/** Closes the popover around, for a press that settles the choice. */
export const useClosePopover = () => useContext(CloseContext);

/**
 * A button with a small panel of controls under it. Escape, a press outside and moving the focus on close it;
 * on a phone it stands at the bottom of the screen, where there is room.
 */
export function Popover({ label, note, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const rootRef = useRef<HTMLDivElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  useEffect(() => {
    if (!open) return;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && rootRef.current?.contains(event.target) === false) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [open]);
  const close = () => {
    setOpen(false);
    buttonRef.current?.focus();
  };
  return (
    <div
      ref={rootRef}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.preventDefault();
        close();
      }}
    >
      <button
        ref={buttonRef}
        type="button"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
        className={buttonClasses('secondary', 'normal')}
      >
        {label}
        {note}
        <ChevronDown size={14} aria-hidden="true" className="text-faint" />
      </button>
      {open ? (
        <div
          id={panelId}
          role="group"
          aria-label={label}
          className="fixed inset-x-2 bottom-[calc(var(--bar-height)+0.5rem)] z-40 flex max-h-[60dvh] flex-col gap-2 overflow-y-auto rounded-md border border-line bg-surface p-3 shadow-float md:absolute md:inset-x-auto md:top-full md:bottom-auto md:left-0 md:mt-1 md:w-72"
        >
          <CloseContext value={close}>{children}</CloseContext>
        </div>
      ) : null}
    </div>
  );
}
