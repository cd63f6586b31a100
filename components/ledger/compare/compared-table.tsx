import { toVisibleText } from '@/lib/core';
import type { Comparison } from '@/lib/ledger';
import { cx } from '../../ui/cx';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table';

export interface ComparedFact {
  readonly name: string;
  readonly a: string | null;
  readonly b: string | null;
  readonly differs: boolean;
}

interface ComparedTableProps {
  /** Names what is compared: "Arguments". */
  readonly label: string;
  readonly nameA: string;
  readonly nameB: string;
  readonly rows: readonly ComparedFact[];
}

/** Two columns beside each other; what differs is marked by a word and a shape, not by colour alone. */
export const ComparedTable = ({ label, nameA, nameB, rows }: ComparedTableProps) => (
  <Table label={label}>
    <TableHead>
      <TableHeading className="w-40">What</TableHeading>
      <TableHeading className="w-20">Same?</TableHeading>
      <TableHeading>{nameA}</TableHeading>
      <TableHeading>{nameB}</TableHeading>
    </TableHead>
    <tbody>
      {rows.map(({ name, a, b, differs }) => (
        <TableRow key={name} className={cx(differs && 'bg-selected')}>
          <TableCell className="font-mono text-xs [overflow-wrap:anywhere]">{toVisibleText(name)}</TableCell>
          <TableCell className={cx('whitespace-nowrap', differs ? 'font-medium' : 'text-faint')}>{differs ? '≠ differs' : '= same'}</TableCell>
          <ComparedCell text={a} />
          <ComparedCell text={b} />
        </TableRow>
      ))}
    </tbody>
  </Table>
);

const ComparedCell = ({ text }: { readonly text: string | null }) => (
  <TableCell className="max-w-96 min-w-40 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
    {text === null ? <span className="text-faint">nothing</span> : toVisibleText(text)}
  </TableCell>
);

interface ComparedValueProps {
  readonly label: string;
  readonly nameA: string;
  readonly nameB: string;
  readonly comparison: Comparison;
}

/** Two JSON values leaf by leaf. */
export function ComparedValue({ label, nameA, nameB, comparison: { leaves, differing, leftOut } }: ComparedValueProps) {
  const rows = leaves.map(({ path, ...leaf }) => ({ name: path === '' ? '(the whole)' : path, ...leaf }));
  return (
    <>
      <p className="text-sm text-muted">
        {differing === 0 ? 'They are the same.' : `${differing} ${differing === 1 ? 'value differs' : 'values differ'}.`}
        {leftOut === 0 ? '' : ` ${leftOut} more values are not shown here.`}
      </p>
      {rows.length === 0 ? null : <ComparedTable label={label} nameA={nameA} nameB={nameB} rows={rows} />}
    </>
  );
}
