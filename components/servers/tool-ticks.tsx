'use client';

import { toVisibleText } from '@/lib/core';
import type { Finding, Risk } from '@/lib/manifests';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Findings } from './findings';
import { RiskBadge } from './risk-badge';

export interface TickedTool {
  readonly name: string;
  readonly description: string | null;
  readonly risk: Risk;
  readonly available: boolean;
  readonly reason: string | null;
  readonly pin: 'same' | 'changed' | 'new' | null;
  readonly findings: readonly Finding[];
}

interface ToolTicksProps {
  readonly tools: readonly TickedTool[];
  readonly ticked: ReadonlySet<string>;
  readonly onChange: (ticked: ReadonlySet<string>) => void;
}

/** The tools to accept, each with what it says of itself; those ticked are exposed. */
export function ToolTicks({ tools, ticked, onChange }: ToolTicksProps) {
  const toggle = (name: string, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(name);
    else next.delete(name);
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {ticked.size} of {tools.length} ticked
        <Button size="small" variant="quiet" onClick={() => onChange(new Set(tools.map((tool) => tool.name)))}>Tick all</Button>
        <Button size="small" variant="quiet" onClick={() => onChange(new Set())}>Tick none</Button>
      </div>
      <ul aria-label="Tools to accept" className="flex flex-col gap-2">
        {tools.map((tool) => (
          <li key={tool.name} className="flex flex-col gap-1 border-l-2 border-line pl-3">
            <Checkbox
              checked={ticked.has(tool.name)}
              onChange={(event) => toggle(tool.name, event.target.checked)}
              label={
                <span className="inline-flex flex-wrap items-center gap-2">
                  <code className="text-xs [overflow-wrap:anywhere]">{toVisibleText(tool.name)}</code>
                  <RiskBadge risk={tool.risk} />
                  {tool.available ? null : <span className="text-sm text-attention">▲ {toVisibleText(tool.reason ?? 'not available here')}</span>}
                  {tool.pin === 'changed' ? <span className="text-sm text-attention">▲ changed since it was accepted</span> : null}
                </span>
              }
              hint={tool.description === null ? undefined : <span className="line-clamp-3 whitespace-pre-line">{toVisibleText(tool.description)}</span>}
            />
            <Findings findings={tool.findings} />
          </li>
        ))}
      </ul>
    </div>
  );
}
