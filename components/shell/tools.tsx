'use client';

import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CommandPalette } from './command-palette';
import { LiveLamp } from './live-lamp';
import { PersonMenu, type SignOut } from './person-menu';
import type { Theme } from './theme';
import { ThemeToggle } from './theme-toggle';

interface ToolsProps {
  readonly theme: Theme;
  readonly person: { readonly name: string; readonly role: string };
  readonly signOut: SignOut;
}

/** The right end of the top line, the same on every page. */
export function Tools({ theme, person, signOut }: ToolsProps) {
  const [paletteOpen, setPaletteOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setPaletteOpen((open) => !open);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <header aria-label="Console" className="fixed top-0 right-0 z-30 flex h-12 items-center gap-1 pr-3">
      <button
        type="button"
        onClick={() => setPaletteOpen(true)}
        aria-label="Go to a page, server or tool"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        className="flex h-8 w-8 items-center justify-center gap-2 rounded-sm border border-line-strong bg-surface text-sm text-muted hover:bg-hover md:w-40 md:justify-start md:px-2"
      >
        <Search size={14} aria-hidden="true" />
        <span className="hidden flex-1 text-left md:inline">Go to…</span>
        <kbd className="hidden text-xs text-faint md:inline">Ctrl K</kbd>
      </button>
      <LiveLamp />
      <ThemeToggle initial={theme} />
      <PersonMenu name={person.name} role={person.role} signOut={signOut} />
      {paletteOpen ? <CommandPalette onClose={() => setPaletteOpen(false)} /> : null}
    </header>
  );
}
