/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). */
export interface Challenge {
  /** Lower case. */
  readonly scheme: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;
const PARAMETER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",\\=][^\s",\\]*))/y;
const GAP = /[ \t,]*/y;

/**
 * Every challenge of the header, whatever scheme comes first; several headers are one, joined with commas. What is
 * no challenge is passed over.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(header);
    if (found !== null) at += found[0].length;
    return found;
  };
  while (at < header.length) {
    match(GAP);
    const parameter = match(PARAMETER);
    if (parameter !== null) {
      const [, name = '', quoted, bare = ''] = parameter;
      const open = challenges.at(-1)?.parameters;
      // Of a parameter that comes twice the first stands.
      if (open && !open.has(name.toLowerCase())) open.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare);
      continue;
    }
    const scheme = match(TOKEN);
    if (scheme === null) {
      at += 1;
      continue;
    }
    challenges.push({ scheme: scheme[0].toLowerCase(), parameters: new Map() });
    // A space, and then either parameters or the one long token that some schemes have instead.
    if (header[at] === ' ' && !startsParameter(header, at)) {
      match(GAP);
      match(TOKEN68);
    }
  }
  return challenges;
}

function startsParameter(header: string, at: number): boolean {
  const rest = /[ \t]*/y;
  rest.lastIndex = at;
  rest.exec(header);
  PARAMETER.lastIndex = rest.lastIndex;
  return PARAMETER.test(header);
}

/** The first value of a parameter among the challenges that take a token (RFC 6750, RFC 9449). */
export function findTokenParameter(header: string, name: string): string | undefined {
  const challenges = parseChallenges(header).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop');
  return challenges.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined && value !== '');
}
