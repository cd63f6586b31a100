import type { ReactNode } from 'react';
import { toVisibleText } from '@/lib/core';
import { CopyButton } from './copy-button';
import { cx } from './cx';
import { findCommand } from './find-command';
import { MEANING_LOOKS, type Meaning } from './meaning';
import { MeaningShape } from './meaning-shape';

interface CalloutProps {
  readonly meaning: Meaning;
  /** What happened, to what: a sentence. */
  readonly message: string;
  /** What to do; stands in its own line. */
  readonly remedy?: string | null;
  /** Who wrote the remedy, where it matters. */
  readonly remedyBy?: 'server' | 'console';
  /** A code or a source, after the message. */
  readonly note?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** A failure or a notice, with its remedy and what can be pressed about it. */
export function Callout({ meaning, message, remedy, remedyBy, note, action, children }: CalloutProps) {
  const look = MEANING_LOOKS[meaning];
  return (
    <div className={cx('flex items-start gap-2 rounded-sm border-l-4 px-3 py-2', look.soft, look.border)}>
      <span className={look.text}>
        <MeaningShape meaning={meaning} />
        <span className="sr-only">{look.word}: </span>
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="max-w-prose [overflow-wrap:anywhere] whitespace-pre-wrap">
          {toVisibleText(message)}
          {note === undefined ? null : <span className="text-sm text-muted"> {note}</span>}
        </p>
        {remedy === undefined || remedy === null || remedy === '' ? null : <Remedy text={remedy} by={remedyBy} />}
        {children}
        {action === undefined ? null : <div className="flex flex-wrap gap-2 pt-1">{action}</div>}
      </div>
    </div>
  );
}

interface RemedyProps {
  readonly text: string;
  readonly by?: 'server' | 'console';
}

/** What to do, with its command to copy where it names one. */
export function Remedy({ text, by }: RemedyProps) {
  const command = findCommand(text);
  return (
    <p className="flex max-w-prose flex-wrap items-baseline gap-x-2 text-sm">
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <em className="text-muted">Do this:</em> {toVisibleText(text)}
        {by === undefined ? null : <span className="text-muted"> ({by === 'console' ? 'the console’s advice' : 'the server’s advice'})</span>}
      </span>
      {command === undefined ? null : <CopyButton text={command} what={`the command ${command}`} />}
    </p>
  );
}
