'use client';

import { KEY_RULE, type TransportKind } from '@/lib/servers';
import { Field } from '../../ui/field';
import { Section } from '../../ui/page';
import { Select } from '../../ui/select';
import { transportOf } from './entry-draft';
import { useEntryForm } from './form-context';
import { BehaviourSection, ExposureSection, LimitsSection } from './policy-sections';
import { TextField } from './simple-fields';
import { RemoteSection, StdioSection } from './transport-sections';

export interface EntryFieldsProps {
  readonly keyIsSet: boolean;
  readonly reviewed: boolean;
  readonly offeredVariables: readonly string[];
  readonly secretNames: readonly string[];
  readonly environmentReadAt: number;
}

const TRANSPORT_HINTS: Partial<Record<TransportKind, string>> = {
  http: 'An address that turns out to speak the older HTTP with SSE is connected to over that; its test says so.',
  sse: 'The transport of revision 2024-11-05: a stream that names the endpoint to post to.',
  websocket: 'Each message is a text frame; the server has to select the subprotocol mcp.',
};

/** Every field of a server entry. */
export function EntryFields({ keyIsSet, reviewed, offeredVariables, secretNames, environmentReadAt }: EntryFieldsProps) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const transport = transportOf(fields);
  return (
    <div className="flex flex-col gap-6">
      <Section title="Server">
        <div className="flex flex-col gap-3">
          <TextField name="key" label="Key" mono required readOnly={keyIsSet} hint={keyIsSet ? 'A key never changes: duplicate the server to have another.' : `The name it is known by: ${KEY_RULE}.`} />
          <TextField name="label" label="Label" hint="Shown beside the key." />
          <Field label="Transport" error={errorOf('transport')} hint={TRANSPORT_HINTS[transport]}>
            <Select
              value={transport}
              disabled={disabled}
              options={[
                { value: 'stdio', label: 'a program on this machine (stdio)' },
                { value: 'http', label: 'Streamable HTTP' },
                { value: 'sse', label: 'HTTP with SSE (legacy)' },
                { value: 'websocket', label: 'WebSocket' },
              ]}
              onChange={(event) => set('transport', event.target.value)}
            />
          </Field>
          {transport === 'stdio' ? <StdioSection offeredVariables={offeredVariables} environmentReadAt={environmentReadAt} /> : <RemoteSection secretNames={secretNames} />}
        </div>
      </Section>
      <Folded title="Exposure and names"><ExposureSection reviewed={reviewed} /></Folded>
      <Folded title="Behaviour"><BehaviourSection /></Folded>
      <Folded title="Limits"><LimitsSection /></Folded>
    </div>
  );
}

const Folded = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <details className="border-t border-line pt-2">
    <summary className="font-semibold">{title}</summary>
    <div className="flex flex-col gap-3 pt-3">{children}</div>
  </details>
);
