'use client';

import { formatBytes } from '@/lib/core';
import type { StoredPayload } from '@/lib/ledger';
import { JsonViewer } from '../../json/json-viewer';
import { CodeBlock } from '../../ui/code-block';
import { parseStored } from './parse-stored';

interface EntryPayloadProps {
  readonly payload: StoredPayload;
  /** Names what is shown: "the arguments". */
  readonly label: string;
  /** Where the whole can be downloaded, when only a preview is here. */
  readonly download?: string;
}

/** A payload of an entry as a tree; a large one as its preview, with the whole to download. */
export function EntryPayload({ payload, label, download }: EntryPayloadProps) {
  const parsed = parseStored(payload);
  return (
    <div className="flex flex-col gap-2">
      {payload.kind === 'blob' ? <PayloadSize payload={payload} download={download} /> : null}
      {parsed.ok ? (
        <JsonViewer value={parsed.value} label={label} text={payload.kind === 'inline' ? payload.json : undefined} />
      ) : (
        <CodeBlock text={parsed.error} label={label} />
      )}
    </div>
  );
}

interface PayloadSizeProps {
  readonly payload: Extract<StoredPayload, { readonly kind: 'blob' }>;
  readonly download?: string;
}

/** Says that a preview is one, and offers the whole. */
export const PayloadSize = ({ payload, download }: PayloadSizeProps) => (
  <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
    This is a preview: the whole is {formatBytes(payload.sizeBytes)} and is kept.
    {download === undefined ? null : (
      <a href={download} download className="text-accent hover:underline">
        Download the whole
      </a>
    )}
  </p>
);
