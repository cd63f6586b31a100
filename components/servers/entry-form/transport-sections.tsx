'use client';

import { isObject } from '@/lib/core';
import { DEFAULT_LIMITS, isPackageRunner } from '@/lib/servers';
import { Checkbox } from '../../ui/checkbox';
import { Field } from '../../ui/field';
import { Input } from '../../ui/input';
import { Select } from '../../ui/select';
import { DateTime } from '../../ui/relative-time';
import { CommandPreview } from './command-preview';
import { listOf, textOf, useEntryForm } from './form-context';
import { ListField, MapField } from './row-fields';
import { PartField, TextField } from './simple-fields';

interface StdioSectionProps {
  /** Variables for proxies, certificates and package managers that the console has set. */
  readonly offeredVariables: readonly string[];
  readonly environmentReadAt: number;
}

/** How a local program is started. */
export function StdioSection({ offeredVariables, environmentReadAt }: StdioSectionProps) {
  const { fields, set, disabled } = useEntryForm();
  const allowed = listOf(fields['env_allow']);
  const command = textOf(fields['command']);
  return (
    <>
      <TextField name="command" label="Command" mono required hint="A program on the PATH, or its full path. It is started without a shell." placeholder="npx" />
      <ListField name="args" label="Arguments" item="argument" hint="Each row is one argument, exactly." />
      <CommandPreview command={command} args={listOf(fields['args'])} />
      {isPackageRunner(command, listOf(fields['args'])) ? (
        <p className="max-w-prose text-sm text-muted">
          This may install a package first: its first start is waited for up to {DEFAULT_LIMITS.connect_package_runner_s} s.
        </p>
      ) : null}
      <MapField name="env" label="Environment" item="variable" hint="Given to the program. ${VAR} takes a variable of the console, ${secret:NAME} one of the vault." />
      {offeredVariables.length === 0 ? null : (
        <fieldset className="flex flex-col gap-1">
          <legend className="pb-1 font-medium">Handed on from the console’s environment</legend>
          {offeredVariables.map((name) => (
            <Checkbox
              key={name}
              label={<code className="text-xs">{name}</code>}
              checked={allowed.includes(name)}
              disabled={disabled}
              onChange={(event) => set('env_allow', event.target.checked ? [...allowed, name] : allowed.filter((each) => each !== name))}
            />
          ))}
          <p className="text-sm text-muted">
            Set in the environment that the console was started with, <DateTime at={environmentReadAt} />. A server behind a proxy often needs them.
          </p>
        </fieldset>
      )}
      <AllowField offered={offeredVariables} />
      <TextField name="cwd" label="Working directory" mono hint="Left empty, the console’s own." />
    </>
  );
}

/** The names to hand on that are not among the offered ones. */
function AllowField({ offered }: { readonly offered: readonly string[] }) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const names = listOf(fields['env_allow']);
  const others = names.filter((name) => !offered.includes(name));
  return (
    <Field label="Further variables to hand on" hint="Names, separated by spaces." error={errorOf('env_allow')}>
      <Input
        mono
        defaultValue={others.join(' ')}
        disabled={disabled}
        onChange={(event) => set('env_allow', [...names.filter((name) => offered.includes(name)), ...event.target.value.split(/[\s,]+/).filter((name) => name !== '')])}
      />
    </Field>
  );
}

/** How a server elsewhere is reached. */
export function RemoteSection({ secretNames }: { readonly secretNames: readonly string[] }) {
  const { fields, set, errorOf, disabled } = useEntryForm();
  const auth = isObject(fields['auth']) ? fields['auth'] : {};
  const secret = auth['kind'] === 'bearer' ? textOf(auth['secret']) : '';
  const tls = isObject(fields['tls']) ? fields['tls'] : {};
  const known = secret === '' || secretNames.includes(secret) ? secretNames : [secret, ...secretNames];
  return (
    <>
      <TextField name="url" label="URL" mono required placeholder="https://example.com/mcp" />
      <MapField name="headers" label="Headers" item="header" hint="Sent with every request, and on the handshake of a WebSocket. ${secret:NAME} reads the vault." />
      <TextField name="token_env" label="Variable with a bearer token" mono hint="The name of a variable of the console’s environment; its value is sent as a bearer token." />
      <Field label="Bearer token from the vault" error={errorOf('auth')} hint={secretNames.length === 0 ? 'The vault has no secrets yet: an admin adds them in the settings.' : undefined}>
        <Select
          value={secret}
          disabled={disabled}
          options={[{ value: '', label: '(none)' }, ...known.map((name) => ({ value: name, label: name }))]}
          onChange={(event) => set('auth', event.target.value === '' ? { kind: 'none' } : { kind: 'bearer', secret: event.target.value })}
        />
      </Field>
      <details className="flex flex-col gap-3">
        <summary className="font-medium">TLS and proxy</summary>
        <div className="flex flex-col gap-3 pt-2">
          <PartField within="tls" name="ca" kind="text" label="CA certificate" hint="A path or PEM text." />
          <PartField within="tls" name="cert" kind="text" label="Client certificate" hint="A path or PEM text." />
          <PartField within="tls" name="key" kind="text" label="Client key" hint="A path, or ${secret:NAME}." />
          <Checkbox
            label="Do not verify the certificate"
            hint="tls.insecure. Anyone on the way can read and change what is sent. The card, the page and the entries say so."
            checked={tls['insecure'] === true}
            disabled={disabled}
            onChange={(event) => set('tls', { ...tls, insecure: event.target.checked })}
          />
          <TextField name="proxy" label="Proxy" mono hint="Left empty, that of the usual environment variables." />
        </div>
      </details>
    </>
  );
}
