import { isSecretName, REDACTED, Redactor } from '@/lib/core';
import type { ServerEntry } from './entry';

/** A value that only names where the secret is: `${secret:TOKEN}`, `Bearer ${TOKEN}`. */
const ONLY_NAMES_IT = /^(?:(?:Bearer|Basic|Token)\s+)?\$\{[^}]+\}$/i;

const shapes = new Redactor();
const holdsSecret = (name: string, value: string): boolean =>
  value !== '' && !ONLY_NAMES_IT.test(value) && (isSecretName(name) || shapes.text(value) !== value);

const SECRET_FLAG = /^--?([A-Za-z0-9][A-Za-z0-9_-]*)(?:=([\s\S]*))?$/;

/** The paths of the fields that hold a secret in clear: `env.API_KEY`, `headers.Authorization`, `args.2`, `url`. */
export function secretFieldsOf(entry: ServerEntry): readonly string[] {
  const found: string[] = [];
  if (entry.transport === 'stdio') {
    for (const [name, value] of Object.entries(entry.env)) if (holdsSecret(name, value)) found.push(`env.${name}`);
    for (const index of secretArgumentsOf(entry.args)) found.push(`args.${index}`);
  } else {
    for (const [name, value] of Object.entries(entry.headers)) {
      if (holdsSecret(name, value)) found.push(`headers.${name}`);
    }
    if (shapes.text(entry.url) !== entry.url) found.push('url');
    if (entry.proxy !== undefined && shapes.text(entry.proxy) !== entry.proxy) found.push('proxy');
    if (entry.tls?.key?.includes('PRIVATE KEY')) found.push('tls.key');
  }
  return found;
}

/** Arguments shaped like a token, `--token=…`, and the argument after a lone `--token`. */
function secretArgumentsOf(args: readonly string[]): readonly number[] {
  return args.flatMap((argument, index) => {
    const own = SECRET_FLAG.exec(argument);
    const before = SECRET_FLAG.exec(args[index - 1] ?? '');
    const flagged = own?.[1] !== undefined && own[2] !== undefined && holdsSecret(own[1], own[2]);
    const follows =
      own === null && before?.[1] !== undefined && before[2] === undefined && holdsSecret(before[1], argument);
    return flagged || follows || holdsSecret('', argument) ? [index] : [];
  });
}

/** The values that secret-named flags have among the arguments: of `--token=…`, and after a lone `--token`. */
export function secretArgumentValuesOf(args: readonly string[]): readonly string[] {
  return secretArgumentsOf(args).flatMap((index) => {
    const argument = args[index] ?? '';
    return SECRET_FLAG.exec(argument)?.[2] ?? argument;
  });
}

/** The entry for people who may not see values: each secret field's value replaced, names and shape kept. */
export function redactEntry(entry: ServerEntry): ServerEntry {
  const secret = new Set(secretFieldsOf(entry));
  const hide = (path: string, value: string): string => (secret.has(path) ? hideValue(value) : value);
  if (entry.transport === 'stdio') {
    return {
      ...entry,
      env: mapValues(entry.env, (name, value) => (secret.has(`env.${name}`) ? REDACTED : value)),
      args: entry.args.map((argument, index) => hide(`args.${index}`, argument)),
    };
  }
  return {
    ...entry,
    url: shapes.text(entry.url),
    headers: mapValues(entry.headers, (name, value) => (secret.has(`headers.${name}`) ? REDACTED : value)),
    ...(entry.proxy !== undefined && { proxy: shapes.text(entry.proxy) }),
    ...(entry.tls?.key !== undefined && { tls: { ...entry.tls, key: hide('tls.key', entry.tls.key) } }),
  };
}

/** `--token=abc` keeps its flag: what is given is no secret, only its value is. */
function hideValue(argument: string): string {
  const flag = SECRET_FLAG.exec(argument);
  const hasValue = flag?.[1] !== undefined && flag[2] !== undefined;
  return hasValue ? `${argument.slice(0, argument.indexOf('=') + 1)}${REDACTED}` : REDACTED;
}

const mapValues = (record: Readonly<Record<string, string>>, map: (name: string, value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]));
