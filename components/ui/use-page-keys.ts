'use client';

import { useEffect, useEffectEvent } from 'react';

const TYPED_IN = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="tree"]';
const PRESSED = 'a, button, summary';

/**
 * Keys that work from anywhere on a page, by the names that the browser gives them; not while somebody types, walks a
 * tree or has a dialog open. Enter belongs to the link or button that has the focus.
 */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const press = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    const target = event.target instanceof Element ? event.target : null;
    if (press === undefined || target?.closest(TYPED_IN) || (event.key === 'Enter' && target?.closest(PRESSED))) return;
    if (event.key !== 'Enter') event.preventDefault();
    press();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
