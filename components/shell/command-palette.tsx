'use client';

import { useQuery } from '@tanstack/react-query';
import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { toVisibleText } from '@/lib/core';
import { cx } from '../ui/cx';
import { Input } from '../ui/input';
import { filterEntries, PAGE_ENTRIES, parseServerEntries, type PaletteEntry } from './palette-entries';

const KIND_WORDS: Record<PaletteEntry['kind'], string> = { page: 'page', server: 'server', tool: 'tool' };

async function listServerEntries({ signal }: { readonly signal: AbortSignal }): Promise<readonly PaletteEntry[]> {
  const response = await fetch('/api/palette', { signal });
  if (!response.ok) throw new Error(`the list of servers answered ${response.status}`);
  return parseServerEntries(await response.json());
}

/**
 * Goes to a page, a server or a tool by name. It stands on the browser's own dialog, which is there at once: the letters
 * that follow the shortcut are its own, where one that was still loading would leave them to the field beneath.
 */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const router = useRouter();
  const listId = useId();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const servers = useQuery({ queryKey: ['palette', 'servers'], queryFn: listServerEntries, staleTime: 10_000 });
  const shown = useMemo(() => filterEntries([...PAGE_ENTRIES, ...(servers.data ?? [])], text), [servers.data, text]);
  const at = Math.min(active, Math.max(0, shown.length - 1));

  // Before the next key can arrive; closed before it goes, so that the focus returns to where it was.
  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    if (dialog?.open === false) dialog.showModal();
    inputRef.current?.focus();
    return () => dialog?.close();
  }, []);

  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    // The addresses are data; typed routes check literals only.
    router.push(entry.href as Route);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && shown.length > 0) {
      event.preventDefault();
      const next = (at + step + shown.length) % shown.length;
      setActive(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(shown[at]);
    }
  };

  return (
    <dialog
      ref={dialogRef}
      aria-label="Go to"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A press beside it; one within it has another target.
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="fixed top-[12vh] left-1/2 m-0 max-h-[76vh] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 rounded-md border border-line bg-surface text-text shadow-float backdrop:bg-backdrop"
    >
      <div className="flex max-h-[inherit] flex-col gap-3 p-4 pb-2">
      <Input
        ref={inputRef}
        role="combobox"
        aria-label="A page, server or tool"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={shown.length > 0 ? `${listId}-${at}` : undefined}
        placeholder="A page, server or tool"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label="Found" className="-mx-2 max-h-80 overflow-y-auto">
        {shown.map((entry, index) => (
          <li
            key={`${entry.kind} ${entry.href}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setActive(index)}
            onClick={() => go(entry)}
            className={cx('flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2', index === at && 'bg-selected')}
          >
            <span className={cx('truncate', entry.kind !== 'page' && 'font-mono text-xs')}>{toVisibleText(entry.label)}</span>
            <span className="min-w-0 flex-1 truncate text-sm text-muted">{toVisibleText(entry.about)}</span>
            <span className="text-xs text-faint">{KIND_WORDS[entry.kind]}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="pb-2 text-sm text-muted">
        {servers.isPending ? 'Looking among the servers…' : null}
        {shown.length === 0 && !servers.isPending ? 'Nothing has all of these words. Leave one out.' : null}
        {servers.isError ? 'The servers could not be listed; only pages are found. Close this and open it again to retry.' : null}
      </p>
      </div>
    </dialog>
  );
}
