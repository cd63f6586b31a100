import { isObject } from '@/lib/core';
import { ENTRY_FIELDS } from '@/lib/servers';

type Fields = Readonly<Record<string, unknown>>;

export interface TranslatedEntry {
  /** In the terms of product section 1, not yet checked. */
  readonly fields: Fields;
  readonly ignored: readonly string[];
  /** Secrets of the vault that the entry now asks for, in the place of another program's questions. */
  readonly secretNames: readonly string[];
}

/** Other programs' words for the transports; a word that is not here stays and is refused by name. */
const TRANSPORT_WORDS: Readonly<Record<string, string>> = {
  'stdio': 'stdio',
  'http': 'http',
  'streamable-http': 'http',
  'streamable_http': 'http',
  'streamablehttp': 'http',
  'sse': 'sse',
  'ws': 'websocket',
  'websocket': 'websocket',
};

const TRANSPORT_FIELDS = ['transport', 'type', 'transportType'] as const;
const URL_FIELDS = ['url', 'serverUrl', 'httpUrl'] as const;
const TAKEN_OVER: ReadonlySet<string> = new Set([...TRANSPORT_FIELDS, ...URL_FIELDS, 'disabled']);

/**
 * One server of somebody's file in our terms: other programs' words for transport, address and `disabled`,
 * their variables, numbers where text is meant. What is not taken over is named, trust flags among it.
 */
export function translateEntry(raw: Fields): TranslatedEntry {
  const secretNames = new Set<string>();
  const fields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(raw)) {
    if (!ENTRY_FIELDS.has(field) || TAKEN_OVER.has(field) || field === 'key') continue;
    fields[field] = translateValue(field, value, secretNames);
  }
  const transport = firstStated(raw, TRANSPORT_FIELDS);
  if (transport !== undefined) fields['transport'] = translateTransport(transport);
  const url = firstStated(raw, URL_FIELDS);
  if (url !== undefined) fields['url'] = translateVariables(url, secretNames);
  if (raw['disabled'] === true) fields['enabled'] = false;
  return {
    fields,
    ignored: Object.keys(raw).filter((field) => field === 'key' || !(ENTRY_FIELDS.has(field) || TAKEN_OVER.has(field))),
    secretNames: [...secretNames],
  };
}

const firstStated = (raw: Fields, names: readonly string[]): unknown =>
  names.map((name) => raw[name]).find((value) => value !== undefined && value !== null && value !== '');

const translateTransport = (written: unknown): unknown =>
  typeof written === 'string' && Object.hasOwn(TRANSPORT_WORDS, written.toLowerCase())
    ? TRANSPORT_WORDS[written.toLowerCase()]
    : written;

function translateValue(field: string, value: unknown, secretNames: Set<string>): unknown {
  switch (field) {
    case 'command':
    case 'cwd':
      return translateVariables(value, secretNames);
    case 'args':
      return Array.isArray(value) ? value.map((item: unknown) => translateVariables(toText(item), secretNames)) : value;
    case 'env':
    case 'headers':
      return isObject(value) ? translateMap(value, secretNames) : value;
    case 'tools':
      // Elsewhere a lone star is how one says all of them.
      return Array.isArray(value) && value.length === 1 && value[0] === '*' ? null : value;
    default:
      return value;
  }
}

const translateMap = (map: Fields, secretNames: Set<string>): Fields =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, translateVariables(toText(value), secretNames)]),
  );

/** `"PORT": 3000` means the text that the program will see. */
const toText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/** `${env:NAME}`, `${userHome}` and `${input:id}` are other programs' variables. */
function translateVariables(value: unknown, secretNames: Set<string>): unknown {
  if (typeof value !== 'string') return value;
  return value
    .replaceAll('${userHome}', '${HOME}')
    .replace(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, '${$1}')
    .replace(/\$\{input:([^}]+)\}/g, (_, id: string) => {
      const name = id.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
      secretNames.add(name);
      return `\${secret:${name}}`;
    });
}
