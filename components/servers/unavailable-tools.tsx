import { toVisibleText } from '@/lib/core';
import type { UnavailableTool } from '@/lib/manifests';
import { Remedy } from '../ui/callout';
import { Code } from '../ui/code-block';

/** The tools that do not work on the server's host: why, what to do, and what they still answer. */
export const UnavailableTools = ({ tools }: { readonly tools: readonly UnavailableTool[] }) => (
  <ul aria-label="Unavailable tools" className="flex flex-col gap-1">
    {tools.map((tool) => (
      <li key={tool.name} className="flex gap-2 text-sm">
        <span className="text-attention" aria-hidden="true">{'▲\uFE0E'}</span>
        <div className="min-w-0 flex-1">
          <p>
            <Code>{tool.name}</Code> <span>{toVisibleText(tool.reason ?? 'is not available on this host')}</span>
            {tool.without === null ? null : <span className="text-muted"> · still answers: {toVisibleText(tool.without)}</span>}
            {tool.listed ? null : <span className="text-muted"> · not in the server’s list</span>}
          </p>
          {tool.remediation === null ? null : <Remedy text={tool.remediation} />}
        </div>
      </li>
    ))}
  </ul>
);
