import { err, isObject, ok, toVisibleText, type FieldError, type Result } from '@/lib/core';
import { checkEntry } from './check-entry';
import { describeIssue } from './describe-issue';
import { remoteEntrySchema, stdioEntrySchema, type ServerEntry } from './entry';
import {
  COMMON_DEFAULTS, ENTRY_FIELDS, REMOTE_DEFAULTS, REMOTE_FIELDS, STDIO_DEFAULTS, STDIO_FIELDS,
} from './entry-fields';
import { inferTransport } from './infer-transport';
import { findNearestWord } from './nearest-word';
import type { TransportKind } from './transports';

type Fields = Readonly<Record<string, unknown>>;

/** Fields where nothing and null differ: null exposes every tool. */
const NULL_HAS_A_MEANING: ReadonlySet<string> = new Set(['tools']);
/** Fields that a form leaves empty when nobody wrote in them. */
const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set([
  'label', 'transport', 'command', 'url', 'cwd', 'token_env', 'proxy', 'sample_mount',
]);

/**
 * Reads what a person, a form or a file wrote as a server entry: defaults filled in, transport inferred,
 * everything of product section 1 checked. Errors name the field by its path and say what to write instead;
 * all of them come at once, and none repeats a value that may be secret. Never throws.
 * @param options.key the key, where it stands outside the entry (as in a file)
 */
export function parseServerEntry(
  input: unknown,
  options: { readonly key?: string } = {},
): Result<ServerEntry, readonly FieldError[]> {
  if (!isObject(input)) return err([{ field: '', message: 'A server entry is an object with a command or a url in it.' }]);
  const stated = readStated(input);
  const unknown = Object.keys(stated).filter((field) => !ENTRY_FIELDS.has(field)).map(toUnknownFieldError);
  const transport = inferTransport({ transport: stated['transport'], command: stated['command'], url: stated['url'] });
  if (!transport.ok) return err([...unknown, transport.error]);

  const misplaced = findMisplaced(stated, transport.value);
  const parsed = parseShape(withDefaults(stated, transport.value, options.key), transport.value);
  const errors = [...unknown, ...misplaced, ...(parsed.ok ? checkEntry(parsed.value) : parsed.error)];
  return parsed.ok && errors.length === 0 ? parsed : err(errors);
}

function readStated(input: Fields): Fields {
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, written]): [string, unknown][] => {
      const value = field === 'headers' ? trimValues(written) : EMPTY_IS_ABSENT.has(field) ? trim(written) : written;
      const absent = value === undefined || (value === null && !NULL_HAS_A_MEANING.has(field));
      return absent || (value === '' && EMPTY_IS_ABSENT.has(field)) ? [] : [[field, value]];
    }),
  );
}

const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** A pasted token often ends in a newline; white space around a header's value means nothing anyway. */
const trimValues = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, trim(text)])) : value;

function toUnknownFieldError(field: string): FieldError {
  const visible = toVisibleText(field);
  const near = findNearestWord(field, ENTRY_FIELDS);
  return {
    field: visible,
    message: `"${visible}" is no field of a server entry. ${near ? `Did you mean "${near}"?` : 'Take it out.'}`,
  };
}

const fieldsFor = (transport: TransportKind): ReadonlySet<string> => (transport === 'stdio' ? STDIO_FIELDS : REMOTE_FIELDS);

/** Fields of the other kind of server; empty ones are what a form or another program left and mean nothing. */
function findMisplaced(stated: Fields, transport: TransportKind): readonly FieldError[] {
  const own = fieldsFor(transport);
  return Object.entries(stated)
    .filter(([field, value]) => ENTRY_FIELDS.has(field) && !own.has(field) && !isEmpty(value))
    .map(([field]) => ({
      field,
      message:
        transport === 'stdio'
          ? `${field} is for a server that is reached by a url; this one is started by a command. Take it out.`
          : `${field} is for a server that is started by a command; this one is reached by a url. Take it out.`,
    }));
}

const isEmpty = (value: unknown): boolean =>
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && (Object.keys(value).length === 0 || (value['kind'] === 'none' && Object.keys(value).length === 1)));

function withDefaults(stated: Fields, transport: TransportKind, outerKey: string | undefined): Fields {
  const own = fieldsFor(transport);
  const key = stated['key'] ?? outerKey;
  return {
    label: key,
    ...COMMON_DEFAULTS,
    ...(transport === 'stdio' ? STDIO_DEFAULTS : REMOTE_DEFAULTS),
    ...Object.fromEntries(Object.entries(stated).filter(([field]) => own.has(field))),
    key,
    transport,
  };
}

function parseShape(fields: Fields, transport: TransportKind): Result<ServerEntry, readonly FieldError[]> {
  const parsed = (transport === 'stdio' ? stdioEntrySchema : remoteEntrySchema).safeParse(fields);
  if (parsed.success) return ok(parsed.data);
  const missingKey = fields['key'] === undefined;
  const errors = parsed.error.issues.flatMap(describeIssue);
  if (!missingKey) return err(errors);
  // The label follows the key, so without one both are missing and one sentence says it.
  const others = errors.filter(({ field }) => field !== 'key' && field !== 'label');
  return err([{ field: 'key', message: 'Write a key: it is the name by which the server is known.' }, ...others]);
}
