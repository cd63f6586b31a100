'use client';

import { toVisibleText } from '@/lib/core';
import type { ConfiguredServer, ReadProblem } from '@/lib/interchange';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { Callout } from '../../ui/callout';
import { Textarea } from '../../ui/textarea';
import type { WayKept } from './entry-draft';
import type { Contradiction } from './use-entry-draft';

interface PasteFieldProps {
  readonly text: string;
  readonly problem: ReadProblem | null;
  /** Where the text has several servers: which of them the form is filled with. */
  readonly servers: readonly ConfiguredServer[];
  readonly chosen: string | null;
  readonly notes: readonly string[];
  readonly contradiction: Contradiction | null;
  readonly onKeep: (way: WayKept) => void;
  readonly onText: (text: string) => void;
  readonly onChoose: (server: ConfiguredServer) => void;
}

/** The one field for what people have, and what was understood of it. */
export function PasteField({ text, problem, contradiction, servers, chosen, notes, onKeep, onText, onChoose }: PasteFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Paste what you have"
        hint="mcpServers JSON, one entry of it, a URL, or a command line such as npx -y @modelcontextprotocol/server-everything. It and the form follow each other."
        error={problem === null ? null : `${problem.line === null ? '' : `Line ${problem.line}${problem.column === null ? '' : `, column ${problem.column}`}: `}${problem.message}`}
      >
        <Textarea mono rows={Math.min(24, Math.max(8, text.split('\n').length + 1))} value={text} onChange={(event) => onText(event.target.value)} />
      </Field>
      {contradiction === null ? null : (
        <Callout
          meaning="bad"
          message={contradiction.message}
          remedy="Choose one. Until then it is neither tested nor saved."
          action={contradiction.ways.map((way) => <Button key={way} size="small" onClick={() => onKeep(way)}>Keep the {way} alone</Button>)}
        />
      )}
      {servers.length > 1 ? (
        <div role="group" aria-label="Servers in what was pasted" className="flex flex-col gap-1">
          <p className="text-sm">{servers.length} servers are in it. Choose which to add first:</p>
          <div className="flex flex-wrap gap-2">
            {servers.map((server) => (
              <Button key={server.name} size="small" aria-pressed={chosen === server.name} variant={chosen === server.name ? 'primary' : 'secondary'} onClick={() => onChoose(server)}>
                {toVisibleText(server.name)}
              </Button>
            ))}
          </div>
        </div>
      ) : null}
      {notes.map((note) => <p key={note} className="max-w-prose text-sm text-muted">{toVisibleText(note)}</p>)}
    </div>
  );
}
