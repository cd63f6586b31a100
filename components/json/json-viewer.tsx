'use client';

import { useMemo, useState } from 'react';
import { formatBytes, KiB, toVisibleText } from '@/lib/core';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { JsonTree } from './json-tree';

/** Above this a value is shown by its first part until somebody asks for the tree. */
const TREE_BYTES = 256 * KiB;
const FIRST_PART = 4 * KiB;

interface JsonViewerProps {
  readonly value: unknown;
  /** Names what is shown: "the arguments". */
  readonly label: string;
  /** The text that the value was read from: what is copied, and what its size is taken from. */
  readonly text?: string;
}

/** A JSON value of any origin: as a tree, as text, to copy. */
export function JsonViewer({ value, label, text }: JsonViewerProps) {
  const whole = useMemo(() => text ?? JSON.stringify(value, null, 2) ?? 'null', [text, value]);
  const isLarge = whole.length > TREE_BYTES;
  const [view, setView] = useState<'tree' | 'text'>(isLarge ? 'text' : 'tree');
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {view === 'tree' ? (
        <JsonTree value={value} label={label} />
      ) : (
        <pre
          tabIndex={0}
          role="region"
          aria-label={label}
          className="max-h-96 overflow-auto rounded-sm border border-line bg-surface p-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {toVisibleText(isLarge ? `${whole.slice(0, FIRST_PART)}…` : whole)}
        </pre>
      )}
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {isLarge && view === 'text' ? (
          <span>
            The first {formatBytes(FIRST_PART)} of {formatBytes(whole.length)}.
          </span>
        ) : null}
        <Button size="small" variant="quiet" onClick={() => setView(view === 'tree' ? 'text' : 'tree')}>
          {view === 'tree' ? 'Show as text' : 'Show as a tree'}
        </Button>
        <CopyButton text={whole} what={label} />
      </div>
    </div>
  );
}
