import { toVisibleText } from '@/lib/core';
import type { RunRow } from '@/lib/runs';
import { toActorWord } from '../ledger/ledger-filters';
import { RelativeTime } from '../ui/relative-time';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import { TextLink } from '../ui/text-link';

export const RunTable = ({ rows }: { readonly rows: readonly RunRow[] }) => (
  <Table label="Runs, newest first">
    <TableHead>
      <TableHeading>Run</TableHeading>
      <TableHeading>Kind</TableHeading>
      <TableHeading>Who</TableHeading>
      <TableHeading>Begun</TableHeading>
      <TableHeading>Last call</TableHeading>
      <TableHeading className="text-right">Calls</TableHeading>
    </TableHead>
    <tbody>
      {rows.map((run) => (
        <TableRow key={run.id}>
          <TableCell className="font-mono text-xs">
            <TextLink href={`/runs/${run.id}`}>{run.id}</TextLink>
          </TableCell>
          <TableCell>{run.kind}</TableCell>
          <TableCell>
            {toVisibleText(run.actorName)} <span className="text-muted">({toActorWord(run.actorKind)})</span>
          </TableCell>
          <TableCell className="whitespace-nowrap"><RelativeTime at={run.startedAt} /></TableCell>
          <TableCell className="whitespace-nowrap">{run.lastCallAt === null ? null : <RelativeTime at={run.lastCallAt} />}</TableCell>
          <TableCell className="text-right">{run.entryCount}</TableCell>
        </TableRow>
      ))}
    </tbody>
  </Table>
);
