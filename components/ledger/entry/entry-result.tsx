'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useId, type KeyboardEvent } from 'react';
import type { StoredPayload } from '@/lib/ledger';
import { JsonViewer } from '../../json/json-viewer';
import { ResultContent } from '../../json/result-content';
import { CodeBlock } from '../../ui/code-block';
import { cx } from '../../ui/cx';
import { PayloadSize } from './entry-payload';
import { isJsonObject, parseStored } from './parse-stored';

const VIEWS = ['structured', 'content', 'json'] as const;
type View = (typeof VIEWS)[number];
const WORDS: Record<View, string> = { content: 'Content', structured: 'Structured', json: 'JSON' };

interface EntryResultProps {
  readonly payload: StoredPayload;
  readonly download: string;
}

/** A result as people read it, as its structured value, and as it came. */
export function EntryResult({ payload, download }: EntryResultProps) {
  const id = useId();
  const [chosen, setChosen] = useQueryState('result', parseAsStringLiteral(VIEWS));
  const parsed = parseStored(payload);
  if (!parsed.ok) return <CodeBlock text={parsed.error} label="the result" />;
  const result = parsed.value;
  if (!isJsonObject(result)) return <JsonViewer value={result} label="the result" />;

  const { structuredContent: structured, ...unstructured } = result;
  const views = VIEWS.filter((view) => view !== 'structured' || structured !== undefined);
  const view = views.find((each) => each === chosen) ?? views[0] ?? 'content';
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = views[(views.indexOf(view) + step + views.length) % views.length] ?? 'content';
    void setChosen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div className="flex flex-col gap-2">
      <div role="tablist" aria-label="The result as" onKeyDown={onKeyDown} className="flex gap-1 border-b border-line">
        {views.map((each) => (
          <button
            key={each}
            id={`${id}-${each}`}
            type="button"
            role="tab"
            aria-selected={each === view}
            aria-controls={`${id}-panel`}
            tabIndex={each === view ? 0 : -1}
            onClick={() => void setChosen(each)}
            className={cx('h-8 border-b-2 px-3 text-sm', each === view ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-text')}
          >
            {WORDS[each]}
          </button>
        ))}
      </div>
      {payload.kind === 'blob' ? <PayloadSize payload={payload} download={download} /> : null}
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${view}`} className="min-w-0">
        {view === 'content' ? <ResultContent result={unstructured} /> : null}
        {view === 'structured' ? <JsonViewer value={structured} label="the structured content" /> : null}
        {view === 'json' ? <JsonViewer value={result} label="the result as it came" text={payload.kind === 'inline' ? payload.json : undefined} /> : null}
      </div>
    </div>
  );
}
