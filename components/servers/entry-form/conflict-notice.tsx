import { toVisibleText } from '@/lib/core';
import { toStatedFields, type ServerEntry } from '@/lib/servers';
import { Button } from '../../ui/button';
import { Callout } from '../../ui/callout';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table';
import type { Fields } from './entry-draft';

interface ConflictNoticeProps {
  /** Secret values taken out. */
  readonly theirs: ServerEntry;
  readonly yours: Fields;
  readonly pending: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** Someone saved meanwhile: both versions where they differ, and the choice between them. */
export function ConflictNotice({ theirs, yours, pending, onKeepMine, onTakeTheirs }: ConflictNoticeProps) {
  const saved = toStatedFields(theirs);
  const mine = toStatedFields(yours);
  const names = [...new Set([...Object.keys(saved), ...Object.keys(mine)])].filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(mine[name]));
  return (
    <div role="alert">
      <Callout
        meaning="attention"
        message="Someone else saved this server while you edited it. Nothing of yours was saved, and nothing of theirs was lost."
        remedy="Look at where the two differ, then choose."
        action={
          <>
            <Button size="small" pending={pending} onClick={onKeepMine}>Save mine over theirs</Button>
            <Button size="small" onClick={onTakeTheirs}>Take theirs, drop mine</Button>
          </>
        }
      >
        <Table label="Where the two differ">
          <TableHead>
            <TableHeading>Field</TableHeading>
            <TableHeading>Theirs, as saved</TableHeading>
            <TableHeading>Yours</TableHeading>
          </TableHead>
          <tbody>
            {names.map((name) => (
              <TableRow key={name}>
                <TableCell className="font-mono text-xs">{name}</TableCell>
                <TableCell className="font-mono text-xs [overflow-wrap:anywhere]">{toWords(saved[name])}</TableCell>
                <TableCell className="font-mono text-xs [overflow-wrap:anywhere]">{toWords(mine[name])}</TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      </Callout>
    </div>
  );
}

const toWords = (value: unknown): string => (value === undefined ? '(the default)' : toVisibleText(JSON.stringify(value)));
