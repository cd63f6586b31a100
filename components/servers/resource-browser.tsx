'use client';

import { useState } from 'react';
import { formatBytes, toVisibleText, type JsonObject } from '@/lib/core';
import type { ListedResource, ListedResourceTemplate } from '@/lib/manifests';
import { ResourceContent } from '../json/result-content';
import { Button } from '../ui/button';
import { Code } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';
import { FailureNotice } from '../ui/failure-notice';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Section } from '../ui/page';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';
import type { Failure, ReadResource } from './action';

interface ResourceBrowserProps {
  readonly serverKey: string;
  readonly resources: readonly ListedResource[];
  readonly templates: readonly ListedResourceTemplate[];
  readonly mayRead: boolean;
  readonly readResource: ReadResource;
}

const MOST_SHOWN = 200;

/** The resources of a server, each read when it is asked for, and its templates to fill in. */
export function ResourceBrowser({ serverKey, resources, templates, mayRead, readResource }: ResourceBrowserProps) {
  const [uri, setUri] = useState('');
  const [query, setQuery] = useState('');
  const [pending, setPending] = useState<string | null>(null);
  const [answer, setAnswer] = useState<{ uri: string; result: JsonObject } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const read = async (address: string) => {
    setPending(address);
    setFailure(null);
    try {
      const read = await readResource({ key: serverKey, uri: address });
      if (read.ok) setAnswer({ uri: address, result: read.data.result });
      else {
        setAnswer(null);
        setFailure(read);
      }
    } finally {
      setPending(null);
    }
  };
  if (resources.length === 0 && templates.length === 0) {
    return <EmptyState title="No resources"><p>This server lists none, or has not been read yet. Resources are documents that a server lets its clients read.</p></EmptyState>;
  }
  const fitting = resources.filter((resource) => `${resource.uri} ${resource.name} ${resource.description ?? ''}`.toLowerCase().includes(query.toLowerCase()));
  return (
    <div className="flex flex-col gap-6">
      {mayRead ? (
        <form
          className="flex max-w-prose items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (uri !== '') void read(uri);
          }}
        >
          <Field label="Address of a resource" className="flex-1">
            <Input mono value={uri} onChange={(event) => setUri(event.target.value)} />
          </Field>
          <Button type="submit" disabled={uri === ''} pending={pending === uri && uri !== ''}>Read</Button>
        </form>
      ) : (
        <p className="text-sm text-muted">An analyst can read resources.</p>
      )}
      {failure === null ? null : <FailureNotice failure={failure} />}
      {answer === null ? null : (
        <Section title={<>What <Code>{answer.uri}</Code> holds</>} action={<Button size="small" variant="quiet" onClick={() => setAnswer(null)}>Put away</Button>}>
          <ResourceContent result={answer.result} />
        </Section>
      )}
      {templates.length === 0 ? null : (
        <Section title="Templates">
          <ul className="flex flex-col gap-2">
            {templates.map((template) => (
              <li key={template.uriTemplate} className="flex flex-wrap items-center gap-2">
                <span>{toVisibleText(template.name)}</span>
                <Code>{template.uriTemplate}</Code>
                {mayRead ? <Button size="small" variant="quiet" onClick={() => setUri(template.uriTemplate)}>Fill in</Button> : null}
                {template.description === null ? null : <span className="basis-full text-sm text-muted">{toVisibleText(template.description)}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {resources.length === 0 ? null : (
        <Section title="Resources">
          {resources.length > 10 ? <Input type="search" aria-label="Find a resource" placeholder="Find a resource" className="max-w-72" value={query} onChange={(event) => setQuery(event.target.value)} /> : null}
          <Table label="Resources">
            <TableHead>
              <TableHeading>Name</TableHeading>
              <TableHeading>Address</TableHeading>
              <TableHeading>Type</TableHeading>
              <TableHeading>Size</TableHeading>
              <TableHeading><span className="sr-only">Read</span></TableHeading>
            </TableHead>
            <tbody>
              {fitting.slice(0, MOST_SHOWN).map((resource, index) => (
                // A server may list an address twice.
                <TableRow key={`${resource.uri} ${index}`}>
                  <TableCell title={resource.description === null ? undefined : toVisibleText(resource.description)}>{toVisibleText(resource.title ?? resource.name)}</TableCell>
                  <TableCell><Code>{resource.uri}</Code></TableCell>
                  <TableCell className="text-muted">{resource.mimeType === null ? '' : toVisibleText(resource.mimeType)}</TableCell>
                  <TableCell className="text-muted">{resource.sizeBytes === null ? '' : formatBytes(resource.sizeBytes)}</TableCell>
                  <TableCell>{mayRead ? <Button size="small" pending={pending === resource.uri} aria-label={`Read ${toVisibleText(resource.name)}`} onClick={() => void read(resource.uri)}>Read</Button> : null}</TableCell>
                </TableRow>
              ))}
            </tbody>
          </Table>
          {fitting.length > MOST_SHOWN ? <p className="text-sm text-muted">{fitting.length - MOST_SHOWN} more: search to narrow them.</p> : null}
        </Section>
      )}
    </div>
  );
}
