'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { toVisibleText } from '@/lib/core';
import type { ServerLogLine } from '@/lib/live';
import { useLive } from '@/lib/live/client';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { EmptyState } from '../ui/empty-state';
import { Moment } from '../ui/relative-time';
import { fetchLog, type ServerLogView } from './fetch-servers';
import { addLine, MOST_LINES } from './log-lines';

interface ServerLogProps {
  readonly serverKey: string;
  readonly initial: ServerLogView;
}

/** What the server printed: its stderr, and what stood on stdout without belonging there; live until it is paused. */
export function ServerLog({ serverKey, initial }: ServerLogProps) {
  const client = useQueryClient();
  const queryKey = ['server-log', serverKey];
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => fetchLog(serverKey, signal), initialData: initial });
  useLive('server.log', (message) => {
    if (message.key === serverKey) client.setQueryData<ServerLogView>(queryKey, (before) => before && { ...before, lines: [...addLine(before.lines, message.line)] });
  });
  useLive('caught_up', () => void client.invalidateQueries({ queryKey }));
  const [paused, setPaused] = useState<readonly ServerLogLine[] | null>(null);
  const lines = paused ?? data.lines;
  const waiting = paused === null ? 0 : data.lines.filter((line) => line.number > (paused.at(-1)?.number ?? -1)).length;
  if (data.lines.length === 0) {
    return <EmptyState title="Nothing printed yet"><p>What the server writes to its stderr shows here, and lines on stdout that are no protocol messages. A server elsewhere prints nothing that reaches this console.</p></EmptyState>;
  }
  return (
    <div className="flex flex-col gap-2">
      {data.strayLines.count === 0 ? null : (
        <Callout meaning="attention" message={`${data.strayLines.count} ${data.strayLines.count === 1 ? 'line' : 'lines'} on stdout were no protocol messages and were skipped; they are marked.`} />
      )}
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <Button size="small" aria-pressed={paused !== null} onClick={() => setPaused(paused === null ? data.lines : null)}>
          {paused === null ? 'Pause' : waiting === 0 ? 'Follow again' : `Follow again, ${waiting} new`}
        </Button>
        <span>The last {MOST_LINES} lines are kept, each up to 4 KiB.</span>
      </div>
      <LogLines lines={lines} follows={paused === null} />
    </div>
  );
}

function LogLines({ lines, follows }: { readonly lines: readonly ServerLogLine[]; readonly follows: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- known of this library; nothing here is memoised around it
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => frame.current, estimateSize: () => 20, overscan: 20 });
  const last = lines.length - 1;
  useEffect(() => {
    if (follows && last >= 0) virtual.scrollToIndex(last, { align: 'end' });
  }, [follows, last, virtual]);
  return (
    <div ref={frame} tabIndex={0} role="log" aria-label="Lines that the server printed" aria-live="off" className="h-[60vh] overflow-auto border border-line bg-sunken">
      <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <div key={line.number} ref={virtual.measureElement} data-index={item.index} className="absolute left-0 flex w-full gap-3 px-2 font-mono text-xs leading-5" style={{ transform: `translateY(${item.start}px)` }}>
              <Moment at={line.at} className="shrink-0 text-muted" />
              {line.source === 'stdout' ? <span className="shrink-0 text-attention">▲ stdout</span> : null}
              <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{toVisibleText(line.text)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
