/** What an exposed name is made of (product section 9). */
export interface NameSource {
  readonly key: string;
  readonly tool: string;
  /** Whether the key goes in front. */
  readonly prefix: boolean;
  /** Another name that the entry gives the tool. */
  readonly alias: string | null;
}

export const MAX_EXPOSED_NAME = 64;
/** `_` and 8 hex digits. */
const SUFFIX_LENGTH = 9;

const sanitize = (text: string): string => text.replace(/[^A-Za-z0-9_-]/gu, '_');

/** The name a tool gets when nothing stands against it; may be too long. */
const toPlainName = ({ key, tool, prefix, alias }: NameSource): string =>
  alias ?? (prefix ? `${sanitize(key)}__${sanitize(tool)}` : sanitize(tool));

/**
 * The names a tool may have, in the order they are tried: the plain one unless it is too long, then the head cut
 * and a piece of the hash of key, NUL and tool added. The last is tried with a counter, since a server may
 * name its tools so that they look like another's hashed name.
 * @param hash SHA-256 of a text, in hex
 */
function* candidateNames(source: NameSource, hash: (text: string) => string): Generator<string, never> {
  const plain = toPlainName(source);
  if (plain.length > 0 && plain.length <= MAX_EXPOSED_NAME) yield plain;
  const head = plain.slice(0, MAX_EXPOSED_NAME - SUFFIX_LENGTH);
  const identity = `${source.key}\0${source.tool}`;
  yield `${head}_${hash(identity).slice(0, 8)}`;
  for (let counter = 2; ; counter += 1) yield `${head}_${hash(`${identity}\0${counter}`).slice(0, 8)}`;
}

/** The first name that is free. */
export function decideExposedName(
  source: NameSource,
  isTaken: (name: string) => boolean,
  hash: (text: string) => string,
): string {
  const candidates = candidateNames(source, hash);
  let name = candidates.next().value;
  while (isTaken(name)) name = candidates.next().value;
  return name;
}

/** Whether a name that was given once still follows from the entry: an edited prefix or alias gives another. */
export function isNameOf(name: string, source: NameSource): boolean {
  const plain = toPlainName(source);
  const hashed = `${plain.slice(0, MAX_EXPOSED_NAME - SUFFIX_LENGTH)}_`;
  return name === plain || (name.length === hashed.length + 8 && name.startsWith(hashed) && /[0-9a-f]{8}$/.test(name));
}
