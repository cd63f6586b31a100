'use client';

import { useState } from 'react';
import { isObject } from '@/lib/core';
import { DEFAULT_LIMITS } from '@/lib/servers';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import { Textarea } from '../../ui/textarea';
import { listOf, useEntryForm } from './form-context';
import { ListField, MapField } from './row-fields';
import { ChoiceField, FlagField, PartField, TextField } from './simple-fields';

/** Which tools are offered on, and by what names. */
export function ExposureSection({ reviewed }: { readonly reviewed: boolean }) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const tools = fields['tools'];
  const mode = tools === null ? 'all' : Array.isArray(tools) ? (tools.length === 0 ? 'none' : 'list') : reviewed ? 'all' : 'none';
  const [listing, setListing] = useState(mode === 'list');
  const shown = listing && mode !== 'all' ? 'list' : mode;
  const choose = (next: string) => {
    setListing(next === 'list');
    set('tools', next === 'all' ? null : next === 'none' ? [] : listOf(tools));
  };
  return (
    <>
      <Field label="Exposed tools" hint="What packs, models, the gateway and the command line are offered. An operator can call any listed tool on the server’s page." error={errorOf('tools')}>
        <Select
          value={shown}
          disabled={disabled}
          options={[{ value: 'all', label: 'all tools' }, { value: 'list', label: 'only those listed' }, { value: 'none', label: 'none' }]}
          onChange={(event) => choose(event.target.value)}
        />
      </Field>
      {shown === 'list' ? (
        <Field label="Listed tools" hint="One name a line. The tools page lets you tick them.">
          <Textarea mono defaultValue={listOf(tools).join('\n')} disabled={disabled} onChange={(event) => set('tools', event.target.value.split('\n').map((name) => name.trim()).filter((name) => name !== ''))} />
        </Field>
      ) : null}
      <FlagField name="prefix" fallback label="Put the key before each tool’s name" hint="read on files becomes files__read." />
      <MapField name="aliases" label="Other names" item="alias" hint="A tool’s own name, and the name that it is exposed under instead." />
    </>
  );
}

/** When it connects, and what it is taken for. */
export const BehaviourSection = () => (
  <>
    <ChoiceField name="connect" label="Connect" fallback="start" options={[{ value: 'start', label: 'when the console starts' }, { value: 'use', label: 'on first use' }]} />
    <ChoiceField
      name="era"
      label="Era of the protocol"
      fallback="auto"
      options={[{ value: 'auto', label: 'find out (auto)' }, { value: 'legacy', label: 'legacy (initialize)' }, { value: 'modern', label: 'modern (2026-07-28)' }]}
    />
    <TextField name="sample_mount" label="Where it sees the job directory" mono hint="For a server that does not share the console’s filesystem, such as one in a container: the path there." />
    <FlagField name="required" fallback={false} label="Required" hint="A run that uses it does not start while it is down." />
    <FlagField name="external" fallback={false} label="External" hint="It passes on what it is sent: every call to it is a disclosure." />
    <FlagField name="trusted" fallback label="Trusted" hint="Tools that it annotates as read-only run without asking, once reviewed." />
    <FlagField name="share" fallback={false} label="Runs share one connection" />
    <FlagField name="reads_errors" fallback label="Read errors out of text answers" />
    <ChoiceField name="instructions" label="Its instructions to a model" fallback="include" options={[{ value: 'include', label: 'included' }, { value: 'omit', label: 'left out' }]} />
    <ListField name="tags" label="Tags" item="tag" />
    <VerifyWithField />
  </>
);

/** Which read tools tell whether a call of another was carried out. */
function VerifyWithField() {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const value = isObject(fields['verify_with']) ? fields['verify_with'] : {};
  const text = Object.entries(value).map(([tool, checks]) => `${tool}: ${listOf(checks).join(', ')}`).join('\n');
  const write = (next: string) => {
    const pairs = next.split('\n').flatMap((line) => {
      const [tool = '', checks = ''] = line.split(/:(.*)/s);
      return tool.trim() === '' ? [] : [[tool.trim(), checks.split(/[\s,]+/).filter((name) => name !== '')] as const];
    });
    set('verify_with', Object.fromEntries(pairs));
  };
  return (
    <Field label="Verify with" hint="One tool a line, a colon, and the tools that show whether a call of it happened: write_file: read_file, list_directory" error={errorOf('verify_with')}>
      <Textarea mono rows={2} defaultValue={text} disabled={disabled} onChange={(event) => write(event.target.value)} />
    </Field>
  );
}

/** Deadlines and caps; what is left empty takes the default. */
export const LimitsSection = () => (
  <div className="grid gap-3 sm:grid-cols-2">
    <PartField within="limits" name="connect_s" kind="number" label="Connect, s" placeholder={String(DEFAULT_LIMITS.connect_s)} />
    <PartField within="limits" name="idle_s" kind="number" label="Silence of a call, s" placeholder={String(DEFAULT_LIMITS.idle_s)} />
    <PartField within="limits" name="total_s" kind="number" label="Whole of a call, s" placeholder={String(DEFAULT_LIMITS.total_s)} />
    <PartField within="limits" name="max_concurrent_calls" kind="number" label="Calls at once" hint="0 is without a cap." placeholder={String(DEFAULT_LIMITS.max_concurrent_calls)} />
    <PartField within="limits" name="max_message_bytes" kind="number" label="Largest message, bytes" placeholder={String(DEFAULT_LIMITS.max_message_bytes)} />
    <PartField within="limits" name="failures_to_open" kind="number" label="Unanswered calls until it rests" placeholder={String(DEFAULT_LIMITS.failures_to_open)} />
    <PartField within="limits" name="cooldown_s" kind="number" label="Rest, s" placeholder={String(DEFAULT_LIMITS.cooldown_s)} />
  </div>
);
