'use client';

import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { toVisibleText } from '@/lib/core';
import { cx } from '../ui/cx';
import { BRANCH_STEP, listFirstOpen, toJsonLines, type JsonLine } from './json-viewer-lines';

const TEXT_COLOURS: Record<JsonLine['kind'], string> = {
  object: 'text-faint',
  array: 'text-faint',
  text: 'text-good',
  number: 'text-working',
  boolean: 'text-unknown',
  null: 'text-faint',
  more: 'text-accent',
};

interface JsonTreeProps {
  readonly value: unknown;
  readonly label: string;
}

/** A JSON value as a tree: arrows move, right and left open and close, Enter toggles. */
export function JsonTree({ value, label }: JsonTreeProps) {
  const treeId = useId();
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map());
  const [activeId, setActiveId] = useState('');
  const firstOpen = useMemo(() => listFirstOpen(value), [value]);
  const lines = useMemo(() => toJsonLines(value, firstOpen, { toggled, shown }), [value, firstOpen, toggled, shown]);
  const active = Math.max(0, lines.findIndex((line) => line.id === activeId));

  const press = (line: JsonLine) => {
    setActiveId(line.id);
    if (line.kind === 'more') {
      const parent = line.id.slice(0, -2);
      setShown((before) => new Map(before).set(parent, (before.get(parent) ?? BRANCH_STEP) + BRANCH_STEP));
    } else if (line.open !== null) {
      setToggled((before) => new Map(before).set(line.id, line.open === false));
    }
  };
  const moveTo = (index: number) => {
    const line = lines[index];
    if (line === undefined) return;
    setActiveId(line.id);
    document.getElementById(`${treeId}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[active];
    if (line === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const parent = () => lines.findLastIndex((each, index) => index < active && each.depth < line.depth);
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(active + 1),
      ArrowUp: () => moveTo(active - 1),
      Home: () => moveTo(0),
      End: () => moveTo(lines.length - 1),
      ArrowRight: () => (line.open === false || line.kind === 'more' ? press(line) : moveTo(active + 1)),
      ArrowLeft: () => (line.open === true ? press(line) : moveTo(parent())),
      Enter: () => press(line),
      ' ': () => press(line),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return (
    <div
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${treeId}-${active}`}
      onKeyDown={onKeyDown}
      className="group max-h-[32rem] overflow-auto rounded-sm border border-line bg-surface p-1 font-mono text-xs"
    >
      {lines.map((line, index) => (
        <div
          key={line.id}
          id={`${treeId}-${index}`}
          role="treeitem"
          aria-level={line.depth + 1}
          aria-expanded={line.open ?? undefined}
          aria-selected={index === active}
          onClick={() => press(line)}
          className={cx(
            'flex min-h-5 gap-1 rounded-sm pr-1 leading-5',
            (line.open !== null || line.kind === 'more') && 'cursor-pointer hover:bg-hover',
            index === active && 'group-focus-visible:bg-selected',
          )}
          style={{ paddingLeft: `${line.depth}rem` }}
        >
          <span aria-hidden="true" className="w-3 shrink-0 text-faint">
            {line.open === null ? '' : line.open ? '▾' : '▸'}
          </span>
          {line.name === null ? null : <span className="max-w-64 shrink-0 truncate text-muted">{toVisibleText(line.name)}:</span>}
          <span className={cx('min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]', TEXT_COLOURS[line.kind])}>
            {line.kind === 'text' ? `"${toVisibleText(line.text)}"` : toVisibleText(line.text)}
          </span>
        </div>
      ))}
    </div>
  );
}
