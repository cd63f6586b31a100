'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { toVisibleText } from '@/lib/core';
import { cx } from '../../ui/cx';
import { CodeBlock } from '../../ui/code-block';
import { Input } from '../../ui/input';
import { LinkButton } from '../../ui/link-button';
import { TextLink } from '../../ui/text-link';
import { RiskBadge } from '../risk-badge';
import type { ToolRowView } from '../views';

interface ToolListProps {
  readonly serverKey: string;
  readonly rows: readonly ToolRowView[];
  readonly current: string | null;
  readonly manage: boolean;
  readonly reviewed: boolean;
}

/** A server may list thousands; a person searches before that. */
const MOST_SHOWN = 200;

/** The server's tools with whether they work here, what they may do and whether they are exposed. */
export function ToolList({ serverKey, rows, current, manage, reviewed }: ToolListProps) {
  const [query, setQuery] = useQueryState('q', parseAsString.withDefault('').withOptions({ shallow: true, history: 'replace' }));
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const fitting = rows.filter(({ tool, title, description }) => {
    const text = `${tool.name} ${title ?? ''} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const shown = fitting.slice(0, MOST_SHOWN);
  const counts = { exposed: rows.filter((row) => row.tool.exposed).length, unseen: rows.filter((row) => row.hash !== null && row.pin !== 'same').length };
  return (
    // On a narrow screen a chosen tool takes the place of the list.
    <div className={cx('min-w-0 flex-col gap-2', current === null ? 'flex' : 'hidden lg:flex')}>
      <Input type="search" aria-label="Find a tool" placeholder="Find a tool" value={query} onChange={(event) => void setQuery(event.target.value === '' ? null : event.target.value)} />
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <span>{counts.exposed} exposed of {rows.length}</span>
        {manage ? (
          <LinkButton size="small" href={`/servers/${serverKey}/tools?review=1`}>
            {reviewed ? (counts.unseen > 0 ? `Review ${counts.unseen} new or changed` : 'Choose what is exposed') : 'Review them'}
          </LinkButton>
        ) : null}
      </div>
      <ul aria-label="Tools" className="flex flex-col border-y border-line bg-surface">
        {shown.map((row, index) => (
          // Two entries of one name are both set aside, so names alone are no keys.
          <li key={`${row.tool.name} ${index}`} className="border-b border-line last:border-b-0">
            <ToolRow serverKey={serverKey} row={row} isCurrent={row.tool.name === current && row.tool.setAside === null} query={query} />
          </li>
        ))}
      </ul>
      {fitting.length === 0 ? <p className="text-sm text-muted">No tool has these words. <button type="button" className="text-accent hover:underline" onClick={() => void setQuery(null)}>Show all</button></p> : null}
      {fitting.length > shown.length ? <p className="text-sm text-muted">{fitting.length - shown.length} more: search to narrow them.</p> : null}
    </div>
  );
}

function ToolRow({ serverKey, row, isCurrent, query }: { readonly serverKey: string; readonly row: ToolRowView; readonly isCurrent: boolean; readonly query: string }) {
  const { tool } = row;
  if (tool.setAside !== null) {
    return (
      <div className="flex flex-col gap-1 px-3 py-2 text-sm">
        <code className="text-xs text-muted">{tool.name === '' ? '(no name)' : toVisibleText(tool.name)}</code>
        <p className="text-attention">▲ set aside: {toVisibleText(tool.setAside)}</p>
        {tool.definition === undefined ? null : (
          <details>
            <summary className="text-muted">What the server sent</summary>
            <CodeBlock text={tool.definition} label={`the definition of ${tool.name === '' ? 'the tool' : toVisibleText(tool.name)}`} />
          </details>
        )}
      </div>
    );
  }
  const search = new URLSearchParams({ ...(query === '' ? {} : { q: query }), tool: tool.name });
  return (
    <div aria-current={isCurrent || undefined} className={cx('flex flex-col gap-1 px-3 py-2', isCurrent ? 'bg-selected' : 'hover:bg-hover')}>
      <TextLink href={`/servers/${serverKey}/tools?${search.toString()}`} className="font-mono text-xs [overflow-wrap:anywhere]">
        {toVisibleText(tool.name)}
      </TextLink>
      {row.description === null ? null : <p className="line-clamp-2 text-sm text-muted">{toVisibleText(row.description)}</p>}
      <div className="flex flex-wrap items-center gap-1 text-xs">
        <RiskBadge risk={tool.risk} />
        {tool.plumbing ? <span className="text-muted">plumbing</span> : <span className="text-muted">{tool.exposed ? 'exposed' : 'not exposed'}</span>}
        {tool.available ? null : <span className="text-attention">▲ {tool.without === null ? 'not available here' : 'answers less here'}</span>}
        {row.pin === 'changed' ? <span className="text-attention">▲ changed since it was accepted</span> : null}
        {row.findings > 0 ? <span className="text-attention">▲ look at its texts</span> : null}
      </div>
    </div>
  );
}
