'use client';

import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { buttonClasses } from '../ui/button-classes';
import { Popover } from '../ui/popover';
import { fetchLedgerCount } from './fetch-ledger';

interface ExportMenuProps {
  /** The filter's part of the address. */
  readonly search: string;
  readonly seesContents: boolean;
}

/** What is filtered as a file. */
export const ExportMenu = (props: ExportMenuProps) => (
  <Popover label="Export">
    <ExportChoices {...props} />
  </Popover>
);

function ExportChoices({ search, seesContents }: ExportMenuProps) {
  const count = useQuery({ queryKey: ['ledger-count', search], queryFn: ({ signal }) => fetchLedgerCount(search, signal), staleTime: 5000 });
  const number = count.data === undefined ? null : `${count.data.more ? 'More than ' : ''}${count.data.count.toLocaleString('en')}`;
  return (
    <>
      <p role="status" className="text-sm">
        {count.isError ? `The calls could not be counted. ${count.error.message}` : number === null ? 'Counting the calls…' : `${number} ${count.data?.count === 1 && !count.data.more ? 'call' : 'calls'} as filtered`}
      </p>
      {(['jsonl', 'csv'] as const).map((format) => (
        // A download: the browser reads it itself, so the router stays out of it.
        <a key={format} href={`/api/ledger/export?${new URLSearchParams([['format', format], ...new URLSearchParams(search)]).toString()}`} download className={buttonClasses('secondary', 'normal')}>
          <Download size={14} aria-hidden="true" />
          {format === 'jsonl' ? 'JSONL, whole results' : 'CSV, for spreadsheets'}
        </a>
      ))}
      <p className="max-w-64 text-xs text-muted">
        {seesContents ? 'What is shaped like a secret is taken out.' : 'Without arguments and results, which your role does not see.'}
      </p>
    </>
  );
}
