import { toVisibleText } from '@/lib/core';
import { describeLatency, type HealthRow, type StateChange } from '@/lib/health';
import { toStateLook } from '../servers/state-look';
import { EmptyState } from '../ui/empty-state';
import { KeyValueList } from '../ui/key-value';
import { Section } from '../ui/page';
import { DateTime, RelativeTime } from '../ui/relative-time';
import { Status } from '../ui/status';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import { FailedCell, FailureCell, LatencyCell, ProcessCell, QueueCell, StateCell } from './health-cells';

interface ServerHealthProps {
  readonly row: HealthRow;
  /** Newest first. */
  readonly changes: readonly StateChange[];
}

/** How one server is and was. */
export const ServerHealth = ({ row, changes }: ServerHealthProps) => (
  <div className="flex flex-col gap-6">
    <KeyValueList
      items={[
        { key: 'State', value: <StateCell row={row} /> },
        { key: 'Last asked', value: row.lastAskedAt === null ? 'never' : <RelativeTime at={row.lastAskedAt} /> },
        { key: 'Last failure', value: <FailureCell row={row} /> },
        { key: 'Latency', value: <span className="flex flex-col gap-1"><LatencyCell row={row} /><span className="text-sm text-muted">{describeLatency(row.latency)}</span></span> },
        { key: 'Failed calls', value: <FailedCell row={row} /> },
        { key: 'Rests, last day', value: String(row.rests) },
        { key: 'Queue', value: <QueueCell row={row} /> },
        { key: 'Connections', value: String(row.connections) },
        { key: 'Process', value: <ProcessCell row={row} /> },
      ]}
    />
    <Section title="Changes of state">
      {changes.length === 0 ? (
        <EmptyState title="Nothing has changed yet">When it begins to fail, rests, is disabled or works again, that stands here.</EmptyState>
      ) : (
        <Table label="Changes of state">
          <TableHead>
            <TableHeading>When</TableHeading>
            <TableHeading>State</TableHeading>
            <TableHeading>Why</TableHeading>
          </TableHead>
          <tbody>
            {changes.map((change) => (
              <TableRow key={change.id}>
                <TableCell className="whitespace-nowrap"><DateTime at={change.at} /></TableCell>
                <TableCell><Status {...toStateLook({ name: change.to })} /></TableCell>
                <TableCell className="[overflow-wrap:anywhere]">{change.message === null ? '' : toVisibleText(change.message)}</TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  </div>
);
