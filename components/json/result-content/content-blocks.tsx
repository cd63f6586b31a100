'use client';

import { useState } from 'react';
import { assertNever, formatBytes, toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Code } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { JsonViewer } from '../json-viewer';
import { toBlob } from './base64';
import { DownloadButton } from './download-button';
import { AudioBlock, ImageBlock } from './media-block';
import type { Block } from './read-blocks';
import { toFollowable, toSafeName } from './safe-name';
import { TextBlock } from './text-block';

const FIRST_BLOCKS = 50;

/** The parts of an answer in their order, each by itself: one that is broken or unheard of harms no other. */
export function ContentBlocks({ blocks }: { readonly blocks: readonly Block[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? blocks : blocks.slice(0, FIRST_BLOCKS);
  return (
    <ol className="flex min-w-0 flex-col gap-3">
      {shown.map((block, index) => (
        // Blocks have no identity but their place.
        <li key={index} className="min-w-0">
          <BlockView block={block} number={index + 1} />
        </li>
      ))}
      {shown.length < blocks.length ? (
        <li>
          <Button size="small" onClick={() => setAll(true)}>{`Show all ${blocks.length} parts`}</Button>
        </li>
      ) : null}
    </ol>
  );
}

function BlockView({ block, number }: { readonly block: Block; readonly number: number }) {
  switch (block.kind) {
    case 'text':
      return <TextBlock text={block.text} label={`text, part ${number}`} name={`part-${number}.txt`} />;
    case 'image':
      return <ImageBlock mimeType={block.mimeType} data={block.data} name={toSafeName(`image-${number}`, block.mimeType)} />;
    case 'audio':
      return <AudioBlock mimeType={block.mimeType} data={block.data} name={toSafeName(`sound-${number}`, block.mimeType)} />;
    case 'link':
      return <LinkBlock block={block} />;
    case 'text_resource':
      return (
        <div className="flex flex-col gap-1">
          <ResourceHead uri={block.uri} mimeType={block.mimeType} />
          <TextBlock text={block.text} label={`resource ${block.uri}`} name={toSafeName(block.uri, block.mimeType ?? 'text/plain')} />
        </div>
      );
    case 'blob_resource':
      return (
        <div className="flex flex-col items-start gap-1">
          <ResourceHead uri={block.uri} mimeType={block.mimeType} />
          {block.mimeType?.startsWith('image/') === true ? (
            <ImageBlock mimeType={block.mimeType} data={block.data} name={toSafeName(block.uri, block.mimeType)} />
          ) : (
            <div className="flex items-center gap-2 text-xs text-muted">
              {formatBytes(block.data.sizeBytes)}
              <DownloadButton name={toSafeName(block.uri, block.mimeType)} makeBlob={() => toBlob(block.data, 'application/octet-stream')} />
            </div>
          )}
        </div>
      );
    case 'unknown':
      return (
        <div className="flex flex-col gap-1">
          <p className="text-sm text-muted">A part of a kind that is not known here, <Code>{block.type}</Code>, as it came:</p>
          <JsonViewer value={block.raw} label={`part ${number} as it came`} />
        </div>
      );
    case 'malformed':
      return (
        <Callout meaning="attention" message={`A part of kind "${block.type}" is broken: ${block.reason}. As it came:`}>
          <JsonViewer value={block.raw} label={`part ${number} as it came`} />
        </Callout>
      );
    default:
      return assertNever(block);
  }
}

const ResourceHead = ({ uri, mimeType }: { readonly uri: string; readonly mimeType: string | null }) => (
  <p className="text-sm text-muted">
    resource <Code>{uri}</Code>
    {mimeType === null ? null : `, ${toVisibleText(mimeType)}`}
  </p>
);

function LinkBlock({ block }: { readonly block: Extract<Block, { readonly kind: 'link' }> }) {
  const followable = toFollowable(block.uri);
  const facts = [block.mimeType, block.sizeBytes === null ? null : formatBytes(block.sizeBytes)].filter((fact) => fact !== null);
  return (
    <div className="flex flex-col items-start gap-1 border-l-2 border-line pl-3">
      <p>
        {toVisibleText(block.name ?? 'A resource')} <span className="text-sm text-muted">(a link, not fetched{facts.length === 0 ? '' : `; ${toVisibleText(facts.join(', '))}`})</span>
      </p>
      {block.description === null ? null : <p className="max-w-prose text-sm text-muted [overflow-wrap:anywhere]">{toVisibleText(block.description)}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Code>{block.uri}</Code>
        <CopyButton text={block.uri} what="the address" />
        {followable === null ? null : (
          <a href={followable} target="_blank" rel="noopener noreferrer external" referrerPolicy="no-referrer" className="text-sm text-accent hover:underline">
            Open in a new tab
          </a>
        )}
      </div>
    </div>
  );
}
