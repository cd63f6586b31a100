import { toVisibleText } from '@/lib/core';
import { JsonViewer } from '../../json/json-viewer';
import { Callout } from '../../ui/callout';
import { Code, CodeBlock } from '../../ui/code-block';
import { KeyValueList } from '../../ui/key-value';
import { Findings } from '../findings';
import { RiskBadge } from '../risk-badge';
import type { ToolDetailView } from '../views';

/** What a tool says of itself, whether it works here, and its schema as the server sent it. */
export function ToolDetail({ detail }: { readonly detail: ToolDetailView }) {
  const { tool } = detail;
  return (
    <section aria-labelledby="tool-name" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="tool-name" className="font-mono text-base font-semibold [overflow-wrap:anywhere]">{toVisibleText(tool.name)}</h2>
        <RiskBadge risk={tool.risk} />
      </div>
      {detail.title === null || detail.title === tool.name ? null : <p>{toVisibleText(detail.title)}</p>}
      {detail.description === null ? <p className="text-muted">The server does not describe it.</p> : <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">{toVisibleText(detail.description)}</p>}
      {tool.available ? null : (
        <Callout meaning="attention" message={`${tool.reason ?? 'It is not available on this host.'}${tool.without === null ? '' : ` It still answers: ${tool.without}.`}`} remedy={tool.remediation} remedyBy="server" />
      )}
      <Findings findings={detail.allFindings} />
      <KeyValueList
        items={[
          { key: 'Exposed as', value: tool.exposedName === null ? 'never: it is for the console itself' : <><Code>{tool.exposedName}</Code> {tool.exposed ? null : <span className="text-muted">(not exposed)</span>}</> },
          { key: 'As it says', value: toHints(detail) },
          { key: 'Waits up to', value: tool.timeoutS === null ? (tool.longRunning ? 'as long as it takes' : null) : `${tool.timeoutS} s, by its own clock` },
          { key: 'Verify with', value: tool.verifyWith.length === 0 ? null : toVisibleText(tool.verifyWith.join(', ')), mono: true },
          { key: 'Accepted', value: detail.pin === 'same' ? 'as it is now' : detail.pin === 'changed' ? 'in another form: it changed since' : 'not yet' },
        ]}
      />
      <details>
        <summary className="text-sm text-muted">Input schema, as the server sent it</summary>
        <JsonViewer value={detail.inputSchema} label="the input schema" />
      </details>
      {detail.outputSchema === null ? null : (
        <details>
          <summary className="text-sm text-muted">Output schema, as the server sent it</summary>
          <JsonViewer value={detail.outputSchema} label="the output schema" />
        </details>
      )}
      <details>
        <summary className="text-sm text-muted">The whole entry, as text</summary>
        <CodeBlock text={JSON.stringify(detail.raw, null, 2)} label="the tool’s entry" />
      </details>
    </section>
  );
}

function toHints({ tool }: ToolDetailView): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
  const hints = [
    readOnlyHint === undefined ? null : readOnlyHint ? 'reads only' : 'changes things',
    destructiveHint === undefined ? null : destructiveHint ? 'may destroy' : 'destroys nothing',
    idempotentHint === undefined ? null : idempotentHint ? 'the same twice is as once' : 'twice is not as once',
    openWorldHint === undefined ? null : openWorldHint ? 'reaches beyond its own data' : 'keeps to its own data',
  ].filter((hint) => hint !== null);
  return hints.length === 0 ? 'nothing about what it may do' : hints.join(', ');
}
