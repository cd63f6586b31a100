/** The longest text that a person may search for. */
export const MAX_TEXT_CHARACTERS = 200;

/** How much of each payload is searched, in characters of its JSON. */
export const SEARCHED_CHARACTERS = 64 * 1024;

/** What the index takes for part of a word. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{Co}]/u;
/** One letter of an alphabet begins a large part of all words: it is taken for a whole one. */
const SINGLE_LETTER = /^[\0-\u24ff]$/u;

/** Whether there is anything in a text that could be found. */
export const hasSearchedWord = (text: string): boolean => WORD_CHARACTER.test(text);

/**
 * What a person wrote as a query of the text index: every word must appear, as it stands or as the words that it
 * is made of (`/tmp/a-b`), the last one as a beginning. Whatever is written, it is never syntax of the query.
 * @param groups words of ours: one of each group must stand there as well
 * @param listTerms the words of the index that begin so, where they are few; null where they are not known
 */
export function toTextQuery(
  text: string,
  groups: readonly (readonly string[])[] = [],
  listTerms: (beginning: string) => readonly string[] | null = () => null,
): string {
  const words = text
    .replaceAll('\0', ' ')
    .split(/\s+/)
    .filter(hasSearchedWord);
  const phrases = words.map((word, index) => {
    if (index < words.length - 1 || !isBeginning(word)) return toPhrase(word);
    const terms = PLAIN_WORD.test(word) ? (listTerms(word.toLowerCase()) ?? []) : [];
    return terms.length === 0 ? `${toPhrase(word)} *` : toAny(terms);
  });
  return [...phrases, ...groups.map(toAny)].join(' AND ');
}

/** Spelled by the index as it stands, but for capitals. */
const PLAIN_WORD = /^[A-Za-z0-9]+$/;

const toPhrase = (word: string): string => `"${word.replaceAll('"', '""')}"`;
const toAny = (words: readonly string[]): string => `(${words.map(toPhrase).join(' OR ')})`;

/** A word that ends in a sign of punctuation is whole. */
function isBeginning(word: string): boolean {
  const last = /[\p{L}\p{N}\p{Co}]+$/u.exec(word)?.[0];
  return last !== undefined && !SINGLE_LETTER.test(last);
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;
const BLANKS: ReadonlySet<string> = new Set(['n', 'r', 't', 'b', 'f']);
/** Base64 and the like: no words, and each would be one of the index. */
const BINARY = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/=_-]{500,}/g;
/** The members that every answer of the protocol has, which nobody looks for. */
const ENVELOPE = /"type":"text",?|"(?:content|text|structuredContent|isError|mimeType|data)":/g;

/**
 * The words of a JSON text, for the index: escapes are read, also those of JSON within its texts, base64 is left
 * out. It may be cut anywhere.
 * @param kind of a result, the members that all results have are left out
 */
export function toSearchedText(json: string, kind: 'result' | 'other' = 'other'): string {
  const head = json.slice(0, SEARCHED_CHARACTERS).replace(BINARY, ' ');
  const once = unescape(kind === 'result' ? head.replace(ENVELOPE, ' ') : head);
  const twice = unescape(once);
  // What looks like an escape may be part of a path: both readings can be found.
  return once === twice ? once : `${once} ${twice}`;
}

const unescape = (text: string): string =>
  text.replace(ESCAPE, (_whole, point?: string, character?: string) => {
    if (point !== undefined) return String.fromCharCode(Number.parseInt(point, 16));
    return character === undefined || BLANKS.has(character) ? ' ' : character;
  });
