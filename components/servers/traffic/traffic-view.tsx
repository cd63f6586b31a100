'use client';

import { parseAsInteger, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { useLiveStatus } from '@/lib/live/client';
import { filterMessages, matchMessages, partnerOf, type Traffic, type WireMessage } from '@/lib/pool';
import { FilterBar } from '../../filters/filter-bar';
import { FilteredEmpty } from '../../filters/filtered-empty';
import { useFilterValues } from '../../filters/use-filter-values';
import { Button } from '../../ui/button';
import { Callout } from '../../ui/callout';
import { CopyButton } from '../../ui/copy-button';
import { EmptyState } from '../../ui/empty-state';
import { LinkButton } from '../../ui/link-button';
import { Moment } from '../../ui/relative-time';
import { usePageKeys } from '../../ui/use-page-keys';
import { toCopiedJson } from './copy-messages';
import { fetchMessage, fetchMessages, toMessageMap } from './fetch-traffic';
import { MessagePanel } from './message-panel';
import { listTrafficFilters, toWireFilter } from './traffic-filters';
import { toTrafficItems } from './traffic-items';
import { TrafficList } from './traffic-list';
import { usePause } from './use-pause';
import { useTraffic } from './use-traffic';

interface TrafficViewProps {
  readonly serverKey: string;
  readonly initial: Traffic;
}

/** What passed between the console and a server, both ways; live until it is paused. */
export function TrafficView({ serverKey, initial }: TrafficViewProps) {
  const { data, error, isError, dataUpdatedAt, read } = useTraffic(serverKey, initial);
  const { paused, toggle } = usePause(serverKey, data);
  const traffic = paused?.traffic ?? data;
  const { rows, connections, since } = traffic;
  const definitions = useMemo(() => listTrafficFilters(connections), [connections]);
  const [values, setValues] = useFilterValues(definitions);
  const matches = useMemo(() => matchMessages(rows, connections), [rows, connections]);
  const shown = useMemo(() => filterMessages(rows, matches, toWireFilter(values)), [rows, matches, values]);
  const items = useMemo(() => toTrafficItems(rows, new Set(shown.map(({ number }) => number)), connections), [rows, shown, connections]);
  const [selected, setSelected] = useQueryState('message', parseAsInteger);
  const live = useLiveStatus();

  const findRow = (number: number | null) => (number === null ? undefined : rows.find((row) => row.number === number));
  const chosen = findRow(selected);
  const partner = chosen === undefined ? undefined : findRow(partnerOf(matches.get(chosen.number) ?? { kind: 'alone' }));
  const select = (number: number | null) => void setSelected(number);
  const step = (by: 1 | -1) => {
    const at = shown.findIndex((row) => row.number === selected);
    const next = at < 0 ? shown.at(-1) : shown[at + by];
    if (next !== undefined) select(next.number);
  };
  usePageKeys({
    j: () => step(1),
    k: () => step(-1),
    Enter: () => chosen === undefined && step(1),
    o: () => partner !== undefined && select(partner.number),
    p: () => rows.length > 0 && toggle(),
  });

  const readMessage = async (number: number, signal?: AbortSignal): Promise<WireMessage | null> =>
    (await paused?.texts)?.get(number) ?? fetchMessage(serverKey, number, signal);
  const copyShown = async (): Promise<string> => {
    const held = await paused?.texts;
    const texts = held !== undefined && held.size > 0 ? held : toMessageMap(await fetchMessages(serverKey));
    return toCopiedJson(shown.map((row) => texts.get(row.number) ?? row), matches);
  };

  const newest = rows.at(-1)?.number ?? 0;
  const waiting = paused === null ? 0 : data.since === since ? data.rows.filter(({ number }) => number > newest).length : data.rows.length;
  return (
    <div className="flex flex-col gap-3">
      {live === 'lost' ? (
        <Callout
          meaning="attention"
          message="The live stream is lost: newer messages do not show here until it is back. It is being joined again."
          note={<>As of <Moment at={dataUpdatedAt} />.</>}
          action={<Button size="small" onClick={() => void read()}>Read again now</Button>}
        />
      ) : null}
      {isError ? (
        <Callout meaning="bad" message={`The traffic could not be read. ${error.message}`} action={<Button size="small" onClick={() => void read()}>Try again</Button>} />
      ) : null}
      {rows.length === 0 ? (
        <NoTraffic serverKey={serverKey} />
      ) : (
        <>
          <FilterBar
            label="Filter the traffic"
            definitions={definitions}
            values={values}
            onChange={setValues}
            trailing={
              <>
                <CopyButton what="all that is shown as JSON" label="copy all" text={copyShown} />
                <Button size="small" aria-pressed={paused !== null} aria-keyshortcuts="p" onClick={toggle}>
                  {paused === null ? 'Pause' : waiting === 0 ? 'Resume' : `Resume, ${waiting} new`}
                </Button>
              </>
            }
          />
          {shown.length === 0 ? (
            <FilteredEmpty what="messages" definitions={definitions} values={values} onChange={setValues} />
          ) : (
            <div className="flex h-[calc(var(--page-height)-14rem)] min-h-96 min-w-0 border border-line">
              <TrafficList items={items} matches={matches} selected={selected} isPaused={paused !== null} onSelect={select} />
              {chosen === undefined ? null : (
                <MessagePanel
                  row={chosen}
                  matches={matches}
                  partner={partner}
                  connection={connections.find(({ number }) => number === chosen.connection)}
                  listKey={[serverKey, since]}
                  readMessage={readMessage}
                  onSelect={select}
                  onClose={() => select(null)}
                />
              )}
            </div>
          )}
          <p className="text-xs text-muted">
            The last 500 messages are kept, each up to 64 KiB, with every secret that this console knows taken out. Keys: <kbd>j</kbd> and <kbd>k</kbd> walk, <kbd>Enter</kbd> opens,{' '}
            <kbd>o</kbd> goes to the other of a pair, <kbd>p</kbd> pauses, <kbd>Esc</kbd> closes.
          </p>
        </>
      )}
    </div>
  );
}

const NoTraffic = ({ serverKey }: { readonly serverKey: string }) => (
  <EmptyState
    title="Nothing has passed yet"
    action={
      <>
        <LinkButton href={`/servers/${serverKey}`} variant="primary">Test it</LinkButton>
        <LinkButton href={`/servers/${serverKey}/tools`}>Call a tool</LinkButton>
      </>
    }
  >
    <p>
      Every message between this console and the server shows here, both ways, as it was on the wire: from the first of a set-up, also one that
      failed, to the last answer. Test the server or call one of its tools.
    </p>
  </EmptyState>
);
