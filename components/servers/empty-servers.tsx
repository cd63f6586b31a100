'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';
import { useToast } from '../ui/toast';
import type { CardActions } from './action';
import type { ServerRights } from './views';

interface EmptyServersProps {
  readonly rights: ServerRights;
  readonly restoreBundled: CardActions['restoreBundled'];
  /** Other servers are there; only the bundled one is missing. */
  readonly onlyRestore?: boolean;
}

/** No servers yet, or the bundled one deleted: what to do first. */
export function EmptyServers({ rights, restoreBundled, onlyRestore = false }: EmptyServersProps) {
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const restore = async () => {
    setPending(true);
    try {
      const answer = await restoreBundled({});
      toast(answer.ok ? { meaning: 'good', text: 'The bundled analysis server is back.' } : { meaning: 'bad', text: answer.message, remedy: answer.remedy });
    } finally {
      setPending(false);
    }
  };
  const button = <Button pending={pending} onClick={() => void restore()}>Bring the bundled server back</Button>;
  if (onlyRestore) return <p className="flex flex-wrap items-center gap-2 text-sm text-muted">The bundled analysis server was deleted. {button}</p>;
  return (
    <EmptyState
      title="No servers yet"
      action={rights.manage ? <><LinkButton variant="primary" href="/servers/new">Add a server</LinkButton>{button}</> : undefined}
    >
      <p>
        A server gives this console its tools. Paste what another program uses to reach one: its mcpServers JSON, a URL, or the command that starts it.
        {rights.manage ? '' : ' An operator can add servers.'}
      </p>
    </EmptyState>
  );
}
