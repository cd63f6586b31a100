'use client';

import { useState } from 'react';
import { toVisibleText } from '@/lib/core';
import type { SecretFacts } from '@/lib/vault/node';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Dialog } from '../ui/dialog';
import { RelativeTime } from '../ui/relative-time';
import { Status } from '../ui/status';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import { useToast } from '../ui/toast';
import type { Action } from './action';
import { SecretForm } from './secret-form';

interface SecretsTableProps {
  readonly secrets: readonly SecretFacts[];
  readonly saveSecret: Action<{ readonly name: string }>;
  readonly clearSecret: Action;
}

export const SecretsTable = ({ secrets, ...rest }: SecretsTableProps) => (
  <Table label="Secrets">
    <TableHead>
      <TableHeading>Name</TableHeading>
      <TableHeading>State</TableHeading>
      <TableHeading>Written</TableHeading>
      <TableHeading>By</TableHeading>
      <TableHeading>
        <span className="sr-only">Actions</span>
      </TableHeading>
    </TableHead>
    <tbody>
      {secrets.map((secret) => (
        <SecretRow key={secret.name} secret={secret} {...rest} />
      ))}
    </tbody>
  </Table>
);

interface SecretRowProps extends Omit<SecretsTableProps, 'secrets'> {
  readonly secret: SecretFacts;
}

function SecretRow({ secret: { name, changedAt, changedBy, readable }, saveSecret, clearSecret }: SecretRowProps) {
  const [asked, setAsked] = useState<'replace' | 'clear' | null>(null);
  const toast = useToast();
  const close = () => setAsked(null);
  const clear = async () => {
    const answer = await clearSecret({ name });
    toast(answer.ok ? { meaning: 'good', text: `${name} was cleared.` } : { meaning: 'bad', text: answer.message, remedy: answer.remedy });
  };
  return (
    <TableRow>
      <TableCell className="font-mono text-xs">{name}</TableCell>
      <TableCell>
        {readable ? <Status meaning="good" word="sealed" /> : <Status meaning="bad" word="sealed with another key" />}
      </TableCell>
      <TableCell>
        <RelativeTime at={changedAt} />
      </TableCell>
      <TableCell>{toVisibleText(changedBy)}</TableCell>
      <TableCell>
        <div className="flex justify-end gap-1">
          <Button size="small" aria-label={`Replace ${name}`} onClick={() => setAsked('replace')}>
            Replace
          </Button>
          <Button size="small" variant="danger" aria-label={`Clear ${name}`} onClick={() => setAsked('clear')}>
            Clear
          </Button>
        </div>
        <Dialog open={asked === 'replace'} onClose={close} title={`Replace ${name}`} description="The new value takes the place of the old one, which cannot be had back.">
          <SecretForm saveSecret={saveSecret} name={name} onSaved={close} />
        </Dialog>
        <ConfirmDialog
          open={asked === 'clear'}
          onClose={close}
          title={`Clear ${name}?`}
          description="Servers that name it cannot be started until it is written again. The value cannot be had back."
          confirmLabel="Clear"
          danger
          onConfirm={clear}
        />
      </TableCell>
    </TableRow>
  );
}
