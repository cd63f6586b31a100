import { hasHiddenText, toVisibleText, type FieldError } from '@/lib/core';
import { checkHeaderNames, checkHeaderValue } from './check-headers';
import { DEFAULT_LIMITS, type Limits, type RemoteEntry, type ServerEntry, type StdioEntry } from './entry';
import { checkPlaceholders, isOwnName } from './expand-text';

const ALIAS = /^[A-Za-z0-9_-]{1,64}$/;
const VARIABLE_NAME = /^[^=\u0000]+$/u;

/** What a whole entry must keep to beyond the shape of its fields. */
export function checkEntry(entry: ServerEntry): readonly FieldError[] {
  return [
    ...(entry.transport === 'stdio' ? checkStdio(entry) : checkRemote(entry)),
    ...checkNames(entry),
    ...checkAliases(entry),
    ...checkLimits(entry.limits),
    ...checkPlaceholders(entry.sample_mount ?? '', 'sample_mount', ['SIGNALBOX_RUN_ID']),
  ];
}

function checkStdio(entry: StdioEntry): readonly FieldError[] {
  const texts: readonly (readonly [string, string])[] = [
    ['command', entry.command],
    ...entry.args.map((argument, index) => [`args.${index}`, argument] as const),
    ...Object.entries(entry.env).map(([name, value]) => [`env.${name}`, value] as const),
    ['cwd', entry.cwd ?? ''],
  ];
  return [
    ...texts.flatMap(([field, text]) => [
      ...checkPlaceholders(text, field, field.startsWith('args.') ? ['SIGNALBOX_JOB_DIR'] : []),
      ...(text.includes('\u0000') ? [{ field, message: `${field} has a NUL character in it. Take it out.` }] : []),
    ]),
    ...Object.keys(entry.env).flatMap((name) => checkVariableName(name, `env.${toVisibleText(name)}`)),
    ...entry.env_allow.flatMap((name, index) => checkVariableName(name, `env_allow.${index}`)),
  ];
}

function checkVariableName(name: string, field: string): readonly FieldError[] {
  if (isOwnName(name)) {
    const message = `${name} begins with SIGNALBOX_: such names hold the console's own keys and are not handed on. Take it out.`;
    return [{ field, message }];
  }
  return VARIABLE_NAME.test(name)
    ? []
    : [{ field, message: `"${toVisibleText(name)}" is no name of a variable: write one without "=", and not empty.` }];
}

function checkRemote(entry: RemoteEntry): readonly FieldError[] {
  const authorization = Object.keys(entry.headers).some((name) => name.toLowerCase() === 'authorization');
  const bearer = entry.auth.kind === 'bearer';
  const tokens = [
    ...(entry.token_env === undefined ? [] : checkVariableName(entry.token_env, 'token_env')),
    ...(entry.token_env !== undefined && authorization ? [twoTokens('token_env', 'token_env', 'the header Authorization')] : []),
    ...(bearer && authorization ? [twoTokens('auth', 'The bearer secret', 'the header Authorization')] : []),
    ...(bearer && entry.token_env !== undefined ? [twoTokens('auth', 'The bearer secret', 'token_env')] : []),
  ];
  const era = 'The older HTTP+SSE transport has no modern era. Set era to auto or legacy, or leave transport out.';
  return [
    ...(entry.transport === 'sse' && entry.era === 'modern' ? [{ field: 'era', message: era }] : []),
    ...checkUrl(entry.url),
    ...checkPlaceholders(entry.url, 'url'),
    ...checkHeaderNames(Object.keys(entry.headers)),
    ...Object.entries(entry.headers).flatMap(([name, value]) => [
      ...checkHeaderValue(name, value),
      ...checkPlaceholders(value, `headers.${name}`),
    ]),
    ...tokens,
    ...Object.entries(entry.tls ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? checkPlaceholders(value, `tls.${name}`) : [],
    ),
    ...checkPlaceholders(entry.proxy ?? '', 'proxy'),
  ];
}

const twoTokens = (field: string, one: string, other: string): FieldError => ({
  field,
  message: `${one} and ${other} would both send a token: keep one of them.`,
});

/** A url is looked at with a letter in the place of each placeholder; what they become is looked at again. */
function checkUrl(url: string): readonly FieldError[] {
  if (/^\$\{/.test(url)) return [];
  const problem = findUrlProblem(url.replace(/\$\{[^}]*\}/g, 'x'));
  return problem === null ? [] : [{ field: 'url', message: problem }];
}

/** Why a text is no url that a server can have, as a sentence; null where it is one. */
export function findUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'This is no url: write it whole, such as https://example.com/mcp.';
  const url = new URL(text);
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) {
    return `A server cannot be reached by ${url.protocol}//: write a url that begins with http://, https://, ws:// or wss://.`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'The url has a name or a password in it. Put the credentials in a header or a secret instead.';
  }
  return null;
}

/** Names of tools and tags: one that nobody can see or type matches nothing that a person means. */
function checkNames(entry: ServerEntry): readonly FieldError[] {
  const named: readonly (readonly [string, string])[] = [
    ['label', entry.label],
    ...(entry.tools ?? []).map((name, index) => [`tools.${index}`, name] as const),
    ...Object.keys(entry.aliases).map((name) => [`aliases.${name}`, name] as const),
    ...Object.entries(entry.verify_with).flatMap(([name, checks]) => [
      [`verify_with.${name}`, name] as const,
      ...checks.map((check, index) => [`verify_with.${name}.${index}`, check] as const),
    ]),
    ...Object.keys(entry.limits.tools ?? {}).map((name) => [`limits.tools.${name}`, name] as const),
    ...entry.tags.map((tag, index) => [`tags.${index}`, tag] as const),
  ];
  return named.flatMap(([field, name]) => {
    const path = toVisibleName(field);
    if (name === '' && field !== 'label') return [{ field: path, message: 'A name is empty here. Write one, or take it out.' }];
    const hidden = hasHiddenText(name) || /[\t\n]/.test(name);
    const message = `"${toVisibleName(name)}" has characters in it that cannot be seen. Write it without them.`;
    return hidden ? [{ field: path, message }] : [];
  });
}

const toVisibleName = (name: string): string =>
  toVisibleText(name).replaceAll('\t', '<U+0009>').replaceAll('\n', '<U+000A>');

function checkAliases(entry: ServerEntry): readonly FieldError[] {
  const seen = new Set<string>();
  return Object.entries(entry.aliases).flatMap(([tool, alias]) => {
    const field = `aliases.${toVisibleName(tool)}`;
    if (!ALIAS.test(alias)) {
      return [{ field, message: 'An alias has letters, digits, "_" and "-" only, 64 at most. Write another.' }];
    }
    if (seen.has(alias)) return [{ field, message: `"${alias}" is the alias of another tool too. Write another.` }];
    seen.add(alias);
    return [];
  });
}

/** What saving refuses (product section 6.2): a total below the idle clock in force, be it written or a default. */
export const checkEffectiveLimits = (limits: Limits): readonly FieldError[] =>
  checkLimits(limits, DEFAULT_LIMITS.idle_s, DEFAULT_LIMITS.total_s);

/** A total below an idle clock, which then could never run out; without defaults, only what was written counts. */
function checkLimits(limits: Limits, idleDefault?: number, totalDefault?: number): readonly FieldError[] {
  const idleS = limits.idle_s ?? idleDefault;
  const totalS = limits.total_s ?? totalDefault;
  const pairs = [
    { at: 'limits', idle: idleS, total: totalS },
    ...Object.entries(limits.tools ?? {}).map(([tool, own]) => ({
      at: `limits.tools.${toVisibleName(tool)}`,
      idle: own.idle_s ?? idleS,
      total: own.total_s ?? totalS,
    })),
  ];
  return pairs.flatMap(({ at, idle, total }) =>
    idle !== undefined && total !== undefined && total < idle
      ? [{ field: `${at}.total_s`, message: `total_s (${total}) is below idle_s (${idle}): raise one or lower the other.` }]
      : [],
  );
}
