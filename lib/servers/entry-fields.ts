import { remoteEntrySchema, stdioEntrySchema, type ServerEntry } from './entry';
import { inferTransport } from './infer-transport';
import { isSameValue } from './same-value';

type Fields = Readonly<Record<string, unknown>>;

/** What a field of either kind is where a person says nothing (product section 1). */
export const COMMON_DEFAULTS = {
  enabled: true,
  connect: 'start',
  era: 'auto',
  prefix: true,
  aliases: {},
  tools: null,
  limits: {},
  required: false,
  external: false,
  trusted: true,
  instructions: 'include',
  verify_with: {},
  share: false,
  reads_errors: true,
  tags: [],
} as const;

export const STDIO_DEFAULTS = { args: [], env: {}, env_allow: [] } as const;

export const REMOTE_DEFAULTS = { headers: {}, auth: { kind: 'none' } } as const;

export const STDIO_FIELDS: ReadonlySet<string> = new Set(Object.keys(stdioEntrySchema.shape));
export const REMOTE_FIELDS: ReadonlySet<string> = new Set(Object.keys(remoteEntrySchema.shape));

/** Every field of product section 1. */
export const ENTRY_FIELDS: ReadonlySet<string> = new Set([...STDIO_FIELDS, ...REMOTE_FIELDS]);

const DEFAULTS: Fields = { ...COMMON_DEFAULTS, ...STDIO_DEFAULTS, ...REMOTE_DEFAULTS };

/**
 * The fields that a configuration would state: without the key, without what is a default and without a
 * transport that the rest makes plain. Takes an entry, or the fields of a form that is not yet one.
 */
export function toStatedFields(fields: ServerEntry | Fields): Fields {
  const stated: Fields = fields;
  const plain = inferTransport({ transport: undefined, command: stated['command'], url: stated['url'] });
  const inferred = plain.ok ? plain.value : undefined;
  return Object.fromEntries(
    Object.entries(stated).filter(([field, value]) => {
      if (field === 'key' || value === undefined || value === '') return false;
      if (field === 'label') return value !== stated['key'];
      if (field === 'transport') return value !== inferred;
      return !(field in DEFAULTS) || !isSameValue(value, DEFAULTS[field]);
    }),
  );
}
