import { err, ok, type FieldError, type Result } from '@/lib/core';

/** Where placeholders find their values, and whose field they stand in. */
export interface ExpandContext {
  /** The field's path, for errors. */
  readonly field: string;
  readonly findVariable: (name: string) => string | undefined;
  readonly findSecret: (name: string) => string | undefined;
  /** The `SIGNALBOX_` names that stand for something in this field; all others are refused. */
  readonly ownNames?: Readonly<Record<string, string>>;
}

/** `$${`, or `${` with what stands up to the next `}` (none: cut off). */
const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const SECRET = /^secret:([A-Za-z0-9_.-]+)$/;

export const isOwnName = (name: string): boolean => /^SIGNALBOX_/i.test(name);

type Placeholder =
  | { readonly kind: 'variable'; readonly name: string; readonly fallback: string | null }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'malformed'; readonly text: string };

function parsePlaceholder(body: string, closed: boolean): Placeholder {
  const secret = SECRET.exec(body);
  if (closed && secret?.[1] !== undefined) return { kind: 'secret', name: secret[1] };
  const variable = VARIABLE.exec(body);
  const fallback = variable?.[2] ?? null;
  if (!closed || variable?.[1] === undefined || fallback?.includes('${')) {
    return { kind: 'malformed', text: `\${${body}${closed ? '}' : ''}` };
  }
  return { kind: 'variable', name: variable[1], fallback };
}

/** Text that expands to itself: each `${` in it is written `$${`. */
export const toLiteralText = (text: string): string => text.split('${').join('$${');

function placeholdersOf(text: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([whole, body, close]) =>
    whole === '$${' ? [] : [parsePlaceholder(body ?? '', close === '}')],
  );
}

/** What is wrong with a text's placeholders whatever their values are: said when the entry is saved. */
export function checkPlaceholders(text: string, field: string, ownNames: readonly string[] = []): readonly FieldError[] {
  return placeholdersOf(text).flatMap((placeholder) => {
    if (placeholder.kind === 'malformed') return [{ field, message: malformedSentence(field, placeholder.text) }];
    const refused =
      placeholder.kind === 'variable' && isOwnName(placeholder.name) && !ownNames.includes(placeholder.name);
    return refused ? [{ field, message: ownNameSentence(field, placeholder.name) }] : [];
  });
}

/**
 * Puts values in the place of `${VAR}`, `${VAR:-default}` (unset or empty takes the default) and
 * `${secret:NAME}`; `$${` becomes a literal `${`. What was put in is not expanded again.
 * Errors name the field and the variable, never a value; a placeholder never goes out literally.
 */
export function expandText(text: string, context: ExpandContext): Result<string, readonly FieldError[]> {
  const errors: FieldError[] = [];
  const fail = (message: string): string => {
    errors.push({ field: context.field, message });
    return '';
  };
  const expanded = text.replace(PLACEHOLDER, (whole: string, body: string | undefined, close: string | undefined) => {
    if (whole === '$${') return '${';
    const placeholder = parsePlaceholder(body ?? '', close === '}');
    switch (placeholder.kind) {
      case 'malformed':
        return fail(malformedSentence(context.field, placeholder.text));
      case 'secret':
        return context.findSecret(placeholder.name) ?? fail(missingSecretSentence(context.field, placeholder.name));
      case 'variable':
        return (
          expandVariable(placeholder.name, placeholder.fallback, context) ?? fail(missingSentence(context, placeholder.name))
        );
    }
  });
  return errors.length === 0 ? ok(expanded) : err(errors);
}

function expandVariable(name: string, fallback: string | null, context: ExpandContext): string | undefined {
  if (isOwnName(name)) return Object.entries(context.ownNames ?? {}).find(([own]) => own === name)?.[1];
  const value = context.findVariable(name);
  if (fallback !== null && (value === undefined || value === '')) return fallback;
  return value;
}

const missingSentence = ({ field }: ExpandContext, name: string): string =>
  isOwnName(name)
    ? ownNameSentence(field, name)
    : `${field} needs the variable ${name}, which is not set in the environment that the console was started with. ` +
      `Set it and start the console again, or write \${${name}:-…} with a default.`;

export const missingSecretSentence = (field: string, name: string): string =>
  `${field} needs the secret ${name}, which the vault does not have. Add it in the settings, or correct its name.`;

const ownNameSentence = (field: string, name: string): string =>
  `${field} names ${name}; variables that begin with SIGNALBOX_ are the console's own and are not handed on. Take it out.`;

const malformedSentence = (field: string, text: string): string =>
  `${field} has "${text}", which is no placeholder: write \${NAME}, \${NAME:-default} or \${secret:NAME}, ` +
  `or $\${ where a literal \${ is meant.`;
