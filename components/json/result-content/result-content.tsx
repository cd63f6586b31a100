'use client';

import { useMemo } from 'react';
import { isObject, MiB, toVisibleText } from '@/lib/core';
import { Callout } from '@/components/ui/callout';
import { JsonViewer } from '../json-viewer';
import { describeVerdict, normaliseSchema, validateJson } from '../schema';
import { ContentBlocks } from './content-blocks';
import { readBlock, readResourceContents, type Block } from './read-blocks';

interface ResultContentProps {
  /** The result as it was on the wire. */
  readonly result: unknown;
  /** The tool's output schema as the server sent it, to hold the structured content against. */
  readonly outputSchema?: unknown;
}

const KNOWN = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);
/** Larger texts are not read as JSON on the page. */
const MOST_COMPARED = MiB;

/** A tool's answer, whole and in order, whatever a server put into it: nothing is run, fetched or dropped. */
export function ResultContent({ result, outputSchema }: ResultContentProps) {
  if (!isObject(result)) return <JsonViewer value={result} label="the answer as it came" />;
  const content = result['content'];
  const structured = result['structuredContent'];
  const others = Object.entries(result).filter(([name]) => !KNOWN.has(name));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {result['isError'] !== undefined && typeof result['isError'] !== 'boolean' ? (
        <Callout meaning="attention" message={`The server wrote isError as ${JSON.stringify(result['isError'])}, which is neither true nor false.`} />
      ) : null}
      {structured === undefined ? null : <StructuredContent value={structured} outputSchema={outputSchema} />}
      {content === undefined && structured === undefined ? <p className="text-muted">The answer has no content.</p> : null}
      {content === undefined ? null : <Content content={content} structured={structured} />}
      {others.length === 0 ? null : (
        <div className="flex flex-col gap-1">
          <p className="text-sm text-muted">Also in the answer:</p>
          <JsonViewer value={Object.fromEntries(others)} label="further parts of the answer" />
        </div>
      )}
    </div>
  );
}

function Content({ content, structured }: { readonly content: unknown; readonly structured: unknown }) {
  const blocks = useMemo(() => (Array.isArray(content) ? content.map(readBlock) : null), [content]);
  if (blocks === null) {
    return (
      <Callout meaning="attention" message="The content of the answer is no list. As it came:">
        <JsonViewer value={content} label="the content as it came" />
      </Callout>
    );
  }
  if (blocks.length === 0) return structured === undefined ? <p className="text-muted">The answer is empty.</p> : null;
  if (repeatsStructured(blocks, structured)) {
    return (
      <details>
        <summary className="text-sm text-muted">The text says the same as the structured content.</summary>
        <ContentBlocks blocks={blocks} />
      </details>
    );
  }
  return <ContentBlocks blocks={blocks} />;
}

function StructuredContent({ value, outputSchema }: { readonly value: unknown; readonly outputSchema: unknown }) {
  const misfit = useMemo(() => describeMisfit(value, outputSchema), [value, outputSchema]);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="text-sm text-muted">Structured content</h3>
      {misfit === null ? null : <Callout meaning="attention" message={misfit} />}
      <JsonViewer value={value} label="the structured content" />
    </div>
  );
}

function describeMisfit(value: unknown, outputSchema: unknown): string | null {
  if (outputSchema === undefined || outputSchema === null) return null;
  const normal = normaliseSchema(outputSchema);
  if (!normal.ok) return `Whether this fits the tool’s output schema cannot be said. ${normal.error}`;
  const verdict = validateJson(normal.value.schema, value);
  if (verdict.kind === 'fits') return null;
  const words = toVisibleText(describeVerdict(verdict) ?? '');
  return verdict.kind === 'misfits'
    ? `This does not fit the output schema that the tool states. ${words}`
    : `Whether this fits the tool’s output schema was not checked. ${words}`;
}

/** Servers send structured content a second time as text, for older clients. */
function repeatsStructured(blocks: readonly Block[], structured: unknown): boolean {
  const [only] = blocks;
  if (structured === undefined || blocks.length !== 1 || only?.kind !== 'text' || only.text.length > MOST_COMPARED) return false;
  try {
    return JSON.stringify(JSON.parse(only.text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

/** What reading a resource gave. */
export function ResourceContent({ result }: { readonly result: unknown }) {
  const contents = isObject(result) ? result['contents'] : undefined;
  if (!Array.isArray(contents)) return <JsonViewer value={result} label="the answer as it came" />;
  return contents.length === 0 ? <p className="text-muted">The resource is empty.</p> : <ContentBlocks blocks={contents.map(readResourceContents)} />;
}

/** What a prompt became: its messages, each with who says it. */
export function PromptContent({ result }: { readonly result: unknown }) {
  const messages = isObject(result) ? result['messages'] : undefined;
  if (!isObject(result) || !Array.isArray(messages)) return <JsonViewer value={result} label="the answer as it came" />;
  return (
    <div className="flex flex-col gap-4">
      {typeof result['description'] === 'string' ? <p className="max-w-prose text-muted">{toVisibleText(result['description'])}</p> : null}
      {messages.map((message: unknown, index) => (
        <section key={index} className="flex flex-col gap-1">
          <h3 className="text-sm text-muted">{isObject(message) && typeof message['role'] === 'string' ? toVisibleText(message['role']) : 'a role that is not stated'}</h3>
          <ContentBlocks blocks={[isObject(message) ? message['content'] : message].flat().map(readBlock)} />
        </section>
      ))}
    </div>
  );
}
