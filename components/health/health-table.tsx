'use client';

import { toVisibleText } from '@/lib/core';
import type { HealthRow } from '@/lib/health';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import { TextLink } from '../ui/text-link';
import { FailedCell, FailureCell, LatencyCell, ProcessCell, QueueCell, StateCell } from './health-cells';
import type { Direction, HealthSort } from './health-sort';
import type { Selection } from './use-selection';

interface HealthTableProps {
  readonly rows: readonly HealthRow[];
  readonly sort: HealthSort;
  readonly direction: Direction;
  readonly onSort: (sort: HealthSort) => void;
  /** null for those who may not act. */
  readonly selection: Selection | null;
}

/** Every server in a row; on a phone every server in a block. */
export function HealthTable(props: HealthTableProps) {
  const { rows, selection } = props;
  return (
    <>
      <Table label="Health of the servers" className="max-md:hidden">
        <TableHead>
          {selection === null ? null : (
            <TableHeading>
              <input
                type="checkbox"
                aria-label="Select all that are shown"
                className="size-4 accent-accent"
                checked={rows.length > 0 && rows.every((row) => selection.has(row.key))}
                onChange={(event) => selection.setAll(rows.map((row) => row.key), event.target.checked)}
              />
            </TableHeading>
          )}
          <SortHeading {...props} name="server">Server</SortHeading>
          <SortHeading {...props} name="state">State</SortHeading>
          <TableHeading>Last failure</TableHeading>
          <SortHeading {...props} name="latency">Latency, last day</SortHeading>
          <SortHeading {...props} name="failed">Failed calls</SortHeading>
          <SortHeading {...props} name="rests">Rests</SortHeading>
          <SortHeading {...props} name="queue">Queue</SortHeading>
          <TableHeading>Connections</TableHeading>
          <SortHeading {...props} name="memory">Process</SortHeading>
        </TableHead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.key}>
              {selection === null ? null : <TableCell><SelectBox row={row} selection={selection} /></TableCell>}
              <TableCell><ServerName row={row} /></TableCell>
              <TableCell><StateCell row={row} /></TableCell>
              <TableCell><FailureCell row={row} /></TableCell>
              <TableCell><LatencyCell row={row} /></TableCell>
              <TableCell><FailedCell row={row} /></TableCell>
              <TableCell>{row.rests}</TableCell>
              <TableCell><QueueCell row={row} /></TableCell>
              <TableCell>{row.connections}</TableCell>
              <TableCell><ProcessCell row={row} /></TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <ul aria-label="Health of the servers" className="flex flex-col gap-3 md:hidden">
        {rows.map((row) => (
          <li key={row.key} className="flex min-w-0 flex-col gap-2 border border-line bg-surface p-3 text-sm">
            <div className="flex items-start gap-3">
              {selection === null ? null : <SelectBox row={row} selection={selection} />}
              <ServerName row={row} />
              <span className="ml-auto"><StateCell row={row} /></span>
            </div>
            {row.lastFailure === null ? null : <FailureCell row={row} />}
            <LatencyCell row={row} />
            <div className="flex flex-wrap gap-x-4 gap-y-1">
              <FailedCell row={row} />
              <QueueCell row={row} />
              <span>{row.rests === 1 ? '1 rest' : `${row.rests} rests`}</span>
              <span>{row.connections === 1 ? '1 connection' : `${row.connections} connections`}</span>
              <ProcessCell row={row} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function SortHeading({ name, sort, direction, onSort, children }: HealthTableProps & { readonly name: HealthSort; readonly children: string }) {
  const isCurrent = sort === name;
  return (
    <TableHeading aria-sort={!isCurrent ? 'none' : direction === 'up' ? 'ascending' : 'descending'}>
      <button type="button" onClick={() => onSort(name)} className="inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-text">
        {children}
        <span aria-hidden="true" className={isCurrent ? undefined : 'text-faint'}>{isCurrent ? (direction === 'up' ? '↑' : '↓') : '↕'}</span>
      </button>
    </TableHeading>
  );
}

const SelectBox = ({ row, selection }: { readonly row: HealthRow; readonly selection: Selection }) => (
  <input
    type="checkbox"
    aria-label={`Select ${row.key}`}
    className="size-4 shrink-0 accent-accent"
    checked={selection.has(row.key)}
    onChange={(event) => selection.setAll([row.key], event.target.checked)}
  />
);

const ServerName = ({ row }: { readonly row: HealthRow }) => (
  <span className="flex min-w-24 flex-col [overflow-wrap:anywhere]">
    <TextLink href={`/servers/${row.key}`} className="font-medium">{row.key}</TextLink>
    <span className="text-xs text-muted">{row.label === row.key ? row.transport : `${toVisibleText(row.label)} · ${row.transport}`}</span>
  </span>
);
