'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { formatDuration, toVisibleText } from '@/lib/core';
import { CardHealth } from '../health/card-health';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { LinkButton } from '../ui/link-button';
import { Menu } from '../ui/menu';
import type { MenuItem } from '../ui/menu-item';
import { RelativeTime } from '../ui/relative-time';
import { Status } from '../ui/status';
import { Switch } from '../ui/switch';
import { TextLink } from '../ui/text-link';
import { useToast } from '../ui/toast';
import type { CardActions, Failure } from './action';
import { CardTest } from './card-test';
import { LiveLoad } from './live-load';
import { CardWarnings } from './server-warnings';
import { FailedTest } from './failed-test';
import { describeTransport, toStateLook } from './state-look';
import { StateNote } from './state-note';
import { TrySample } from './try-sample';
import { UnavailableTools } from './unavailable-tools';
import type { ServerCardView, ServerRights } from './views';

interface ServerCardProps {
  readonly card: ServerCardView;
  readonly rights: ServerRights;
  readonly actions: CardActions;
}

/** A server: how it stands, what it can and cannot do here, and what can be done about it. */
export function ServerCard({ card, rights, actions }: ServerCardProps) {
  const [testId, setTestId] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const [pending, setPending] = useState(false);
  const router = useRouter();
  const toast = useToast();
  const writable = rights.manage && !card.fromFile;
  const look = toStateLook(card.state);
  const href = `/servers/${card.key}`;

  const tell = (failure: Failure) => toast({ meaning: 'bad', text: failure.message, remedy: failure.remedy });
  const test = async () => {
    const answer = await actions.startTest({ key: card.key, fields: null });
    if (!answer.ok) tell(answer);
    else if ('testId' in answer.data) setTestId(answer.data.testId);
  };
  const enable = async (enabled: boolean) => {
    setPending(true);
    try {
      const answer = await actions.setEnabled({ key: card.key, enabled });
      if (!answer.ok) tell(answer);
    } finally {
      setPending(false);
    }
  };
  const remove = async () => {
    const answer = await actions.deleteServer({ key: card.key });
    if (answer.ok) toast({ meaning: 'good', text: `${card.key} was deleted. Its calls stay in the ledger.` });
    else tell(answer);
  };
  const items: MenuItem[] = [
    { kind: 'link', key: 'edit', label: 'Edit', href: `${href}/settings` },
    { kind: 'link', key: 'duplicate', label: 'Duplicate', href: `/servers/new?from=${card.key}` },
    { kind: 'separator', key: 'line' },
    { kind: 'action', key: 'delete', label: 'Delete…', danger: true, onSelect: () => setAsked(true) },
  ];

  return (
    <article aria-labelledby={`server-${card.key}`} className="flex min-w-0 flex-col gap-2 border border-line bg-surface p-3">
      <header className="flex items-start gap-2">
        <div className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <Status meaning={look.meaning} word={look.word} />
          <h2 id={`server-${card.key}`} className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <TextLink href={href} className="text-text">{card.key}</TextLink>
          </h2>
          <span className="text-sm text-muted">{describeTransport(card.transport, card.facts)}</span>
          {card.fromFile ? <Badge title="Named by a file that this console only reads">from a file</Badge> : null}
        </div>
        {writable ? <Menu label={`More for ${card.key}`} items={items} /> : null}
      </header>
      <StateNote state={card.state} serverKey={card.key} changeRest={rights.manage ? actions.changeRest : null} changeAddress={writable ? actions.changeAddress : null} />
      <FailedTest card={card} changeAddress={writable ? actions.changeAddress : null} />
      {card.bundled && rights.call && card.enabled ? <TrySample serverKey={card.key} putSample={actions.putSample} /> : null}
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        {card.label === card.key ? <ToolCountLine card={card} /> : <span className="min-w-0 [overflow-wrap:anywhere]">{toVisibleText(card.label)}</span>}
        <LastTest test={card.lastTest} />
      </div>
      {card.label === card.key ? null : <ToolCountLine card={card} />}
      <CardHealth {...card.health} />
      {card.reviewed || card.counts === null ? null : (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Status meaning="attention" word="nobody has reviewed its tools yet" />
          {rights.manage ? <TextLink href={`${href}/tools?review=1`}>Review them</TextLink> : null}
        </p>
      )}
      {card.manifestProblem === null ? null : <p className="text-sm text-muted">Its manifest could not be read: {toVisibleText(card.manifestProblem)}</p>}
      <CardWarnings serverKey={card.key} warnings={card.warnings} />
      {card.unavailable.length === 0 ? null : <UnavailableTools tools={card.unavailable} />}
      {testId === null ? null : <CardTest serverKey={card.key} testId={testId} changeAddress={writable ? actions.changeAddress : null} onDismiss={() => setTestId(null)} />}
      <footer className="flex flex-wrap items-center gap-2 pt-1">
        {rights.manage ? <Button size="small" onClick={() => void test()}>Test</Button> : null}
        <LinkButton size="small" href={href}>Open</LinkButton>
        {card.tags.map((tag) => <Badge key={tag}>{toVisibleText(tag)}</Badge>)}
        {writable ? (
          <span className="ml-auto flex items-center gap-1 text-sm text-muted">
            enabled
            <Switch checked={card.enabled} disabled={pending} label={`${card.key} enabled`} onChange={(enabled) => void enable(enabled)} />
          </span>
        ) : null}
      </footer>
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title={`Delete ${card.key}?`}
        description="Its configuration goes, with every process that it runs. Its calls in the ledger, the fingerprints of its tools and the names they were given stay."
        confirmLabel="Delete"
        danger
        onConfirm={async () => {
          await remove();
          router.refresh();
        }}
      />
    </article>
  );
}

function LastTest({ test }: { readonly test: ServerCardView['lastTest'] }) {
  if (test === null) return <span className="text-muted">not tested since it was saved</span>;
  return (
    <span className="text-muted">
      {test.ok ? 'tested ' : test.failure?.isCancelled === true ? 'test cancelled ' : 'test failed '}
      <RelativeTime at={test.at} />
      {test.latencyMs === null ? null : `, ${formatDuration(test.latencyMs)}`}
    </span>
  );
}

function ToolCountLine({ card }: { readonly card: ServerCardView }) {
  const { counts } = card;
  if (counts === null) return null;
  return (
    <p className="text-sm text-muted">
      {counts.exposed} exposed, {counts.available} of {counts.offered} available
      <LiveLoad serverKey={card.key} load={card.load} before="; " />
    </p>
  );
}
