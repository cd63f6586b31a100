'use client';

import { useState } from 'react';
import { formatBytes, KiB, MiB, toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { DownloadButton } from './download-button';

const FIRST_PART = 16 * KiB;
/** More would freeze the page for no reader's good. */
const MOST_SHOWN = 2 * MiB;

interface TextBlockProps {
  readonly text: string;
  readonly label: string;
  readonly name: string;
}

/** Text of a stranger: shown as text, its first part at first; the whole can be shown, copied and saved. */
export function TextBlock({ text, label, name }: TextBlockProps) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > FIRST_PART;
  const shown = isLong ? text.slice(0, whole ? MOST_SHOWN : FIRST_PART) : text;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <pre tabIndex={0} role="region" aria-label={label} className="max-h-[32rem] overflow-auto rounded-sm border border-line bg-sunken p-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {toVisibleText(shown)}
      </pre>
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {shown.length < text.length ? <span>{`${formatBytes(text.length)}, the first ${formatBytes(shown.length)} shown.`}</span> : null}
        {isLong && !whole ? (
          <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
            {text.length > MOST_SHOWN ? `Show the first ${formatBytes(MOST_SHOWN)}` : 'Show all'}
          </Button>
        ) : null}
        <CopyButton text={text} what={label} />
        {isLong ? <DownloadButton name={name} makeBlob={() => new Blob([text], { type: 'application/octet-stream' })} /> : null}
      </div>
    </div>
  );
}
