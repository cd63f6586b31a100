'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatBytes, toVisibleText } from '@/lib/core';
import { methodOf, partnerOf, type WireConnection, type WireMatch, type WireMessage, type WireRow } from '@/lib/pool';
import { JsonViewer } from '../../json/json-viewer';
import { Button } from '../../ui/button';
import { Callout } from '../../ui/callout';
import { CopyButton } from '../../ui/copy-button';
import { KeyValueList } from '../../ui/key-value';
import { Section } from '../../ui/page';
import { DateTime } from '../../ui/relative-time';
import { SidePanel } from '../../ui/side-panel';
import { Skeleton } from '../../ui/skeleton';
import { toCopiedJson, toCopiedMessage } from './copy-messages';
import { describeConnection } from './describe-connection';
import { toKindLook, toMatchLook, toPartnerWord } from './match-look';

interface MessagePanelProps {
  readonly row: WireRow;
  readonly matches: ReadonlyMap<number, WireMatch>;
  /** Its partner, where that is kept. */
  readonly partner: WireRow | undefined;
  readonly connection: WireConnection | undefined;
  /** Names this list of messages among all that the page has seen. */
  readonly listKey: readonly (string | number)[];
  readonly readMessage: (number: number, signal?: AbortSignal) => Promise<WireMessage | null>;
  readonly onSelect: (number: number) => void;
  readonly onClose: () => void;
}

/** A message beside the list, and the one that belongs to it. */
export function MessagePanel({ row, matches, partner, connection, listKey, readMessage, onSelect, onClose }: MessagePanelProps) {
  const match = matches.get(row.number) ?? { kind: 'alone' };
  const method = methodOf(row, match);
  const title = [toKindLook(row).word, method === null ? null : toVisibleText(method), row.id === null ? null : `id ${toVisibleText(String(row.id))}`]
    .filter((part) => part !== null)
    .join(' · ');
  const readAll = async (numbers: readonly number[]) => (await Promise.all(numbers.map((number) => readMessage(number)))).filter((each) => each !== null);
  return (
    <SidePanel
      label={title}
      title={title}
      onClose={onClose}
      actions={
        <>
          <CopyButton what="the message as JSON" text={async () => (await readAll([row.number])).map((message) => toCopiedMessage(message, match)).join('')} />
          {partner === undefined ? null : (
            <CopyButton
              what="the pair as JSON"
              label="copy pair"
              text={async () => toCopiedJson(await readAll([row.number, partner.number].toSorted((a, b) => a - b)), matches)}
            />
          )}
        </>
      }
    >
      <KeyValueList
        items={[
          { key: 'Time', value: <DateTime at={row.at} /> },
          { key: 'Direction', value: row.direction === 'sent' ? 'sent by this console' : 'received from the server' },
          { key: 'Over', value: connection === undefined ? null : describeConnection(connection) },
          { key: 'Size', value: formatBytes(row.sizeBytes) },
          { key: 'Answer', value: toMatchLook(match).word },
        ]}
      />
      <MessageText row={row} label="the message" listKey={listKey} readMessage={readMessage} />
      {partnerOf(match) === null ? null : (
        <Section
          title={toPartnerWord(match)}
          action={partner === undefined ? undefined : <Button size="small" aria-keyshortcuts="o" onClick={() => onSelect(partner.number)}>Go to it (o)</Button>}
        >
          {partner === undefined ? (
            <p className="text-sm text-muted">It is no longer kept.</p>
          ) : (
            <MessageText row={partner} label={toPartnerWord(match).toLowerCase()} listKey={listKey} readMessage={readMessage} />
          )}
        </Section>
      )}
    </SidePanel>
  );
}

type MessageTextProps = Pick<MessagePanelProps, 'row' | 'listKey' | 'readMessage'> & { readonly label: string };

function MessageText({ row, label, listKey, readMessage }: MessageTextProps) {
  const query = useQuery({
    queryKey: ['message', ...listKey, row.number],
    queryFn: ({ signal }) => readMessage(row.number, signal),
    // A message that passed does not change.
    staleTime: Infinity,
    gcTime: 60_000,
  });
  if (query.isPending) return <Skeleton label={label} lines={4} />;
  if (query.isError) {
    return (
      <Callout meaning="bad" message={`This message could not be read. ${query.error.message}`} action={<Button size="small" onClick={() => void query.refetch()}>Try again</Button>} />
    );
  }
  if (query.data === null) return <Callout meaning="disabled" message="This message is no longer kept: newer ones took its place." remedy="Pause the list to keep what it shows." />;
  return <WireText message={query.data} label={label} />;
}

function WireText({ message, label }: { readonly message: WireMessage; readonly label: string }) {
  const { text, isCut, sizeBytes } = message;
  const json = useMemo(() => parseWhole(text), [text]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {json === undefined ? (
        <pre tabIndex={0} role="region" aria-label={label} className="max-h-96 overflow-auto rounded-sm border border-line bg-surface p-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
          {toVisibleText(text)}
        </pre>
      ) : (
        <JsonViewer value={json} label={label} text={text} />
      )}
      {isCut ? <p className="text-sm text-muted">Only its beginning is kept, of {formatBytes(sizeBytes)}.</p> : null}
    </div>
  );
}

/** undefined where the text is no JSON, or was cut. */
function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
