/** Pure parts of the redactor that know how secrets stand in messages which other programs wrote, whole or cut. */

/** An escape that `JSON.stringify` would not write, or one of a JSON text within a JSON text. */
const ODD_ESCAPE = /\\(?:u|\/|\\)/;
const ESCAPES = /\\+(?:u([0-9a-fA-F]{4})|([nrtbf/"]))|\\+/g;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const SHORTEST_VALUE = 4;

/** Hides the values that stand behind escapes, however deep JSON is written within JSON. Linear unless one is there. */
export function hideEscaped(text: string, values: readonly string[], mark: string): string {
  if (!ODD_ESCAPE.test(text)) return text;
  const plain = toPlain(text);
  return values
    .filter((value) => value.length >= SHORTEST_VALUE && plain.includes(toPlain(value)))
    .reduce((scrubbed, value) => scrubbed.replace(toLenientPattern(value), mark), text);
}

const toPlain = (text: string): string =>
  text.replace(ESCAPES, (_whole, point?: string, character?: string) =>
    point !== undefined ? String.fromCharCode(Number.parseInt(point, 16)) : character === undefined ? '' : (CONTROLS[character] ?? character));

/** Matches the value with each of its characters escaped or not. */
function toLenientPattern(value: string): RegExp {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  const parts = units.map((unit) => {
    const hex = unit.toString(16).padStart(4, '0');
    const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const short = Object.entries(CONTROLS).find(([, control]) => control.charCodeAt(0) === unit)?.[0];
    return `\\\\*(?:\\u${hex}|u${anyCase}${short === undefined ? '' : `|${short}`})`;
  });
  // A backslash of the value is itself one of those that are skipped.
  return new RegExp(parts.map((part, index) => (value[index] === '\\' ? '\\\\*' : part)).join(''), 'g');
}

/** A name and its text or number; and the same in a JSON text that stands as a text in JSON. */
const NAMED = /"((?:[^"\\]|\\.){1,64})"(\s*:\s*)(?:"(?:[^"\\]|\\[\s\S])*"?|-?\d[\d.eE+-]*)/g;
const NAMED_WITHIN = /\\"([^"\\]{1,64})\\"(\s*:\s*)\\"(?:[^"\\]|\\\\(?:\\["\\]|[^"\\]))*(?:\\")?/g;
/** Names of the protocol and counts, which hold no secrets whatever they sound like. */
const HARMLESS_NAME = /^progressToken$|tokens$/i;

/** Hides what stands under a name that marks a secret. */
export function hideNamedFields(text: string, isSecretName: (name: string) => boolean, mark: string): string {
  const hides = (name: string) => isSecretName(name) && !HARMLESS_NAME.test(name);
  return text
    .replace(NAMED, (whole, name: string, colon: string) => (hides(name) ? `"${name}"${colon}"${mark}"` : whole))
    .replace(NAMED_WITHIN, (whole, name: string, colon: string) => (hides(name) ? `\\"${name}\\"${colon}\\"${mark}\\"` : whole));
}

const LONGEST_SECRET = 16_384;
const HALF_ESCAPE = /\\+(?:u[0-9a-fA-F]{0,3})?$/;

/** A text that was cut, without the beginning of one of these at its end, escaped or not. */
export function withoutBrokenSecret(text: string, values: readonly string[], forms: readonly string[]): string {
  const whole = text.slice(0, -8) + text.slice(-8).replace(HALF_ESCAPE, '');
  const plainForms = forms.reduce((kept, form) => kept.slice(0, kept.length - lengthOfBeginning(kept, form)), whole);
  const tailAt = Math.max(0, plainForms.length - LONGEST_SECRET);
  const { plain, starts } = toPlainWithStarts(plainForms.slice(tailAt));
  const broken = Math.max(0, ...values.map((value) => lengthOfBeginning(plain, toPlain(value))));
  return broken === 0 ? plainForms : plainForms.slice(0, tailAt + (starts[plain.length - broken] ?? 0));
}

/** How much of a secret's beginning, short of all of it, stands at the end of a text. */
function lengthOfBeginning(text: string, secret: string): number {
  let length = Math.min(secret.length - 1, text.length);
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1;
  return Math.max(0, length);
}

/** The plain text, and for each of its characters where in the text what it stands for begins. */
function toPlainWithStarts(text: string): { readonly plain: string; readonly starts: readonly number[] } {
  const parts: string[] = [];
  const starts: number[] = [];
  const add = (part: string, from: number, step: number) => {
    parts.push(part);
    for (let index = 0; index < part.length; index += 1) starts.push(from + index * step);
  };
  let at = 0;
  for (const found of text.matchAll(ESCAPES)) {
    add(text.slice(at, found.index), at, 1);
    add(toPlain(found[0]), found.index, 0);
    at = found.index + found[0].length;
  }
  add(text.slice(at), at, 1);
  return { plain: parts.join(''), starts };
}

const LONGEST_WORD = 8_192;
const BETWEEN_WORDS = /[\s"'<>{}[\],;]/;
const OPEN_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;

/** A text that was cut and scrubbed, without its last word: what is shaped like a secret is known only when it is whole. */
export function withoutBrokenWord(text: string): string {
  const keyAt = text.search(OPEN_KEY);
  const whole = keyAt === -1 ? text : text.slice(0, keyAt);
  let end = whole.length;
  while (end > 0 && whole.length - end < LONGEST_WORD && !BETWEEN_WORDS.test(whole.charAt(end - 1))) end -= 1;
  return whole.slice(0, end);
}
