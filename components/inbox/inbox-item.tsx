'use client';

import { toVisibleText } from '@/lib/core';
import type { InboxItem as Item } from '@/lib/health';
import { SERVER_STATES } from '@/lib/pool';
import { toStateLook } from '../servers/state-look';
import { Remedy } from '../ui/callout';
import { Button } from '../ui/button';
import { cx } from '../ui/cx';
import { RelativeTime } from '../ui/relative-time';
import { Status } from '../ui/status';
import { TextLink } from '../ui/text-link';

interface InboxItemProps {
  readonly item: Item;
  readonly disabled: boolean;
  readonly onMark: (isRead: boolean) => void;
}

/** One change: which server, what it is now, and what to do. */
export function InboxItem({ item, disabled, onMark }: InboxItemProps) {
  const { serverKey, at, from, to, message, remediation, isRead } = item;
  return (
    <li className={cx('flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-l-4 border-b-line bg-surface px-3 py-2', isRead ? 'border-l-transparent' : 'border-l-accent')}>
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          {isRead ? null : <span className="text-xs font-semibold text-accent">new</span>}
          <TextLink href={`/servers/${serverKey}`} className={isRead ? undefined : 'font-semibold'}>{serverKey}</TextLink>
          <State name={to} />
          {from === null ? null : <span className="text-sm text-muted">it was {from.replaceAll('_', ' ')}</span>}
          <RelativeTime at={at} className="text-sm text-muted" />
        </p>
        {message === null ? null : <p className="max-w-prose text-sm [overflow-wrap:anywhere]">{toVisibleText(message)}</p>}
        {remediation === null || remediation === '' ? null : <Remedy text={remediation} />}
      </div>
      <Button size="small" variant="quiet" disabled={disabled} aria-label={`Mark ${serverKey} ${isRead ? 'as not read' : 'as read'}`} onClick={() => onMark(!isRead)}>
        {isRead ? 'Mark as not read' : 'Mark as read'}
      </Button>
    </li>
  );
}

function State({ name }: { readonly name: string }) {
  const known = SERVER_STATES.find((each) => each === name);
  if (known === undefined) return <span>{name}</span>;
  const { meaning, word } = toStateLook({ name: known });
  return <Status meaning={meaning} word={word} />;
}
