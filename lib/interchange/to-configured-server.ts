import { err, isObject, toVisibleText } from '@/lib/core';
import { isServerKey, parseServerEntry, toServerKey } from '@/lib/servers';
import type { ConfiguredServer } from './configuration';
import { translateEntry } from './translate-entry';

export interface NamedServer {
  readonly server: ConfiguredServer;
  readonly warnings: readonly string[];
}

/** One server of a text, translated and checked; a name that is no key becomes one and stays as the label. */
export function toConfiguredServer(name: string, raw: unknown): NamedServer {
  const key = isServerKey(name) ? name : toServerKey(name);
  if (!isObject(raw)) {
    const message = `"${toVisibleText(name)}" is no server entry: write an object with a command or a url in it.`;
    const server = { name, key, label: name, fields: { key }, entry: err([{ field: '', message }]), ignored: [] };
    return { server, warnings: [] };
  }
  const { fields, ignored, secretNames } = translateEntry(raw);
  const label = typeof fields['label'] === 'string' && fields['label'] !== '' ? fields['label'] : toLabel(name);
  const stated = { ...fields, key, ...(label !== key && { label }) };
  return {
    server: { name, key, label, fields: stated, entry: parseServerEntry(stated), ignored },
    warnings: secretNames.map(
      (secret) => `${key} takes the secret ${secret} from the vault, where the file asked a person. Add it before it is used.`,
    ),
  };
}

/** A name from a stranger's file as a label: nothing hidden in it, and no longer than labels are. */
const toLabel = (name: string): string => toVisibleText(name).replace(/\s+/g, ' ').slice(0, 200);

/** All servers of a text; of two names that become one key the later is not usable. */
export function toConfiguredServers(named: Readonly<Record<string, unknown>>): {
  readonly servers: readonly ConfiguredServer[];
  readonly warnings: readonly string[];
} {
  const names = new Map<string, string>();
  const warnings: string[] = [];
  const servers = Object.entries(named).map(([name, raw]) => {
    const made = toConfiguredServer(name, raw);
    warnings.push(...made.warnings);
    const earlier = names.get(made.server.key);
    names.set(made.server.key, earlier ?? name);
    if (earlier === undefined) return made.server;
    const both = `"${toVisibleText(earlier)}" and "${toVisibleText(name)}"`;
    const message = `${both} both become the key ${made.server.key}. Rename one of them.`;
    return { ...made.server, entry: err([{ field: 'key', message }]) };
  });
  return { servers, warnings };
}
