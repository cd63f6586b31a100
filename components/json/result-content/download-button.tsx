'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';

interface DownloadButtonProps {
  readonly name: string;
  /** Made when it is asked for. */
  readonly makeBlob: () => Blob;
}

/** Saves bytes that came with an answer, under a name that is safe to have on a disk; the browser never shows them. */
export function DownloadButton({ name, makeBlob }: DownloadButtonProps) {
  const [failed, setFailed] = useState(false);
  const save = () => {
    try {
      const address = URL.createObjectURL(makeBlob());
      const anchor = document.createElement('a');
      anchor.href = address;
      anchor.download = name;
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch {
      setFailed(true);
    }
  };
  return (
    <span className="inline-flex items-center gap-2">
      <Button size="small" icon={<Download size={14} aria-hidden="true" />} onClick={save}>
        Save {toVisibleText(name)}
      </Button>
      {failed ? <span role="alert" className="text-sm text-bad">The browser could not take this much at once.</span> : null}
    </span>
  );
}
