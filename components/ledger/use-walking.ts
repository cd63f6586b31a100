'use client';

import { useEffect, useEffectEvent } from 'react';

interface Walking {
  readonly onStep: (step: 1 | -1) => void;
  readonly onOpen: () => void;
}

const TYPED_IN = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="tree"]';
const PRESSED = 'a, button, summary';

/** j and k step through a list from anywhere on its page, Enter opens; not while somebody types or a dialog is open. */
export function useWalking({ onStep, onOpen }: Walking): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(TYPED_IN)) return;
    if (event.key === 'j' || event.key === 'k') {
      event.preventDefault();
      onStep(event.key === 'j' ? 1 : -1);
    } else if (event.key === 'Enter' && !target?.closest(PRESSED)) {
      onOpen();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
