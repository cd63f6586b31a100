import type { AuditRecord } from '@/lib/audit/node';
import { toVisibleText } from '@/lib/core';
import { DateTime } from '../ui/relative-time';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import { TextLink } from '../ui/text-link';

/** `server.saved` as a person says it: `server saved`. */
const toWords = (type: string): string => type.replaceAll(/[._]/g, ' ');

export const AuditTable = ({ records }: { readonly records: readonly AuditRecord[] }) => (
  <Table label="Audit log, newest first">
    <TableHead>
      <TableHeading>When</TableHeading>
      <TableHeading>Who</TableHeading>
      <TableHeading>What</TableHeading>
      <TableHeading>About</TableHeading>
      <TableHeading>Details</TableHeading>
    </TableHead>
    <tbody>
      {records.map((record) => (
        <TableRow key={record.sequence}>
          <TableCell className="whitespace-nowrap">
            <DateTime at={record.at} />
          </TableCell>
          <TableCell>{toVisibleText(record.actorName)}</TableCell>
          <TableCell className="whitespace-nowrap">{toWords(record.type)}</TableCell>
          <TableCell>
            <TextLink href={`/settings/audit?subject=${encodeURIComponent(record.subject)}`}>{toVisibleText(record.subject)}</TextLink>
          </TableCell>
          <TableCell className="max-w-xl font-mono text-xs [overflow-wrap:anywhere]">
            {Object.entries(record.details).map(([name, value]) => (
              <div key={name}>
                <span className="text-muted">{name}</span> {toVisibleText(typeof value === 'string' ? value : JSON.stringify(value))}
              </div>
            ))}
          </TableCell>
        </TableRow>
      ))}
    </tbody>
  </Table>
);
