import { toVisibleText } from '@/lib/core';
import type { ProgressNote } from '@/lib/ledger';
import { Moment } from '../../ui/relative-time';

/** As many as are drawn; a chatty call has thousands. */
const SHOWN = 500;

/** What the server told while it worked, newest last. */
export function EntryNotes({ notes }: { readonly notes: readonly ProgressNote[] }) {
  const shown = notes.slice(-SHOWN);
  return (
    <>
      {notes.length > shown.length ? <p className="text-sm text-muted">The last {shown.length} of {notes.length}.</p> : null}
      <ol aria-label="Progress and log" className="max-h-72 overflow-y-auto rounded-sm border border-line bg-surface p-2 font-mono text-xs" tabIndex={0}>
        {shown.map((note, index) => (
          <li key={notes.length - shown.length + index} className="flex gap-2">
            <span className="shrink-0 text-faint">
              <Moment at={note.at} />
            </span>
            <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {toAmount(note)}
              {toVisibleText(note.text)}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function toAmount(note: ProgressNote): string {
  if (note.progress === null) return '';
  return note.total === null ? `${note.progress} ` : `${note.progress}/${note.total} `;
}
