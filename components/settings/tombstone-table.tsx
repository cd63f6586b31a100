import { toVisibleText } from '@/lib/core';
import type { Tombstone } from '@/lib/ledger';
import { EmptyState } from '../ui/empty-state';
import { RelativeTime } from '../ui/relative-time';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';

/** What was deleted of the ledger, newest first. */
export function TombstoneTable({ tombstones }: { readonly tombstones: readonly Tombstone[] }) {
  if (tombstones.length === 0) return <EmptyState title="Nothing was deleted yet">What is deleted of a run leaves a record here: how many calls, when and why.</EmptyState>;
  return (
    <Table label="Deleted calls">
      <TableHead>
        <TableHeading>Deleted</TableHeading>
        <TableHeading>Calls</TableHeading>
        <TableHeading>Run</TableHeading>
        <TableHeading>By</TableHeading>
        <TableHeading>Why</TableHeading>
      </TableHead>
      <tbody>
        {tombstones.map(({ runId, entryCount, deletedAt, actorName, reason }, index) => (
          <TableRow key={index}>
            <TableCell><RelativeTime at={deletedAt} /></TableCell>
            <TableCell>{entryCount}</TableCell>
            <TableCell className="font-mono text-xs">{runId}</TableCell>
            <TableCell>{toVisibleText(actorName)}</TableCell>
            <TableCell>{reason}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
