import type { WireId, WireShape } from './wire-message';

const NOTHING: WireShape = { kind: 'other', id: null, method: null, about: null, code: null, parts: [] };
const LONGEST_NAME = 1_000;
const MOST_PARTS = 100;

/**
 * What a message is, read from the beginning of its text, and of one that was cut also from its `tail`: members are
 * found by walking over their values, so that nothing is parsed whole, and what a cut went through is not known.
 * Linear in the text, never throws.
 */
export function readShape(text: string, tail = ''): WireShape {
  const refusal = /^HTTP (\d{3})\b[^\n]*\n?/.exec(text);
  if (refusal !== null) {
    const inner = readShape(text.slice(refusal[0].length), tail);
    // The body of a refusal may be the JSON-RPC error that says more.
    return inner.kind === 'error' ? inner : { ...NOTHING, kind: 'error', code: Number(refusal[1]) };
  }
  const at = findStart(text);
  if (text[at] === '{') return readObject(text, at, tail);
  return text[at] === '[' ? readBatch(text, at) : NOTHING;
}

/** Where the message begins: during set-up an answer may stand after a carriage return or a byte-order mark. */
function findStart(text: string): number {
  const at = skip(SPACE, text, 0);
  if (text[at] === '{' || text[at] === '[') return at;
  return skip(SPACE, text, Math.max(text.lastIndexOf('\r'), text.lastIndexOf('\uFEFF')) + 1);
}

function readBatch(text: string, open: number): WireShape {
  const parts: WireShape[] = [];
  let at = skip(SEPARATORS, text, open + 1);
  while (text[at] === '{' && parts.length < MOST_PARTS) {
    const end = skipValue(text, at);
    if (end === -1) break;
    parts.push(readObject(text, at, ''));
    at = skip(SEPARATORS, text, end);
  }
  return { ...NOTHING, parts };
}

function readObject(text: string, open: number, tail: string): WireShape {
  const members = listMembers(text, open);
  if (!members.has('jsonrpc') && tail === '' && !members.isCut) return NOTHING;
  const id = toId(readValue(text, members.get('id'))) ?? (members.has('id') ? null : findIdInTail(tail));
  const method = readValue(text, members.get('method'));
  if (typeof method === 'string') {
    const isRequest = id !== null || (members.isCut && !method.startsWith('notifications/'));
    const about = readAbout(text, method, members.get('params'));
    return { ...NOTHING, kind: isRequest ? 'request' : 'notification', id, method: method.slice(0, LONGEST_NAME), about };
  }
  if (members.has('error')) return { ...NOTHING, kind: 'error', id, code: readCode(text, members.get('error')) };
  return members.has('result') ? { ...NOTHING, kind: 'result', id } : { ...NOTHING, id };
}

function readAbout(text: string, method: string, params: Span | undefined): WireId | null {
  const name = ABOUT[method];
  if (name === undefined || params === undefined || text[params.from] !== '{') return null;
  return toId(readValue(text, listMembers(text, params.from).get(name)));
}

const ABOUT: Readonly<Record<string, string>> = { 'notifications/cancelled': 'requestId', 'notifications/progress': 'progressToken' };

function readCode(text: string, error: Span | undefined): number | null {
  if (error === undefined || text[error.from] !== '{') return null;
  const code = readValue(text, listMembers(text, error.from).get('code'));
  return typeof code === 'number' ? code : null;
}

const toId = (value: unknown): WireId | null => (typeof value === 'string' || typeof value === 'number' ? value : null);

/** Where the id stands last, as with the official SDK for TypeScript; the braces say that it is the message's own. */
const ID_IN_TAIL = /"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.){0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

function findIdInTail(tail: string): WireId | null {
  const found = ID_IN_TAIL.exec(tail)?.[1];
  return found === undefined ? null : toId(parse(found));
}

/** Where a value stands; `to` is null where the text was cut within it. */
interface Span {
  readonly from: number;
  readonly to: number | null;
}

class Members extends Map<string, Span> {
  /** The text ends before the object does. */
  isCut = true;
}

/** The members of the object that opens here. */
function listMembers(text: string, open: number): Members {
  const members = new Members();
  let at = skip(SEPARATORS, text, open + 1);
  while (text[at] === '"') {
    const nameEnd = skipText(text, at);
    if (nameEnd === -1) return members;
    const name = nameEnd - at > LONGEST_NAME ? '' : parse(text.slice(at, nameEnd));
    const from = skip(SEPARATORS, text, nameEnd);
    const end = skipValue(text, from);
    if (typeof name === 'string' && from < text.length) members.set(name, { from, to: end === -1 ? null : end });
    if (end === -1) return members;
    at = skip(SEPARATORS, text, end);
  }
  members.isCut = text[at] !== '}';
  return members;
}

/** A short value; undefined where it is missing, cut, an object or a list, or too long for a name. */
function readValue(text: string, span: Span | undefined): unknown {
  if (span === undefined || span.to === null || span.to - span.from > LONGEST_NAME || /[{[]/.test(text[span.from] ?? '')) return undefined;
  return parse(text.slice(span.from, span.to));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SPACE = /[\s\uFEFF]*/y;
const SEPARATORS = /[\s,:]*/y;
const PRIMITIVE = /[^\s,\]}]*/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** The place after the value that begins here; -1 where the text ends first. */
function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipText(text, at);
  if (text[at] === '{' || text[at] === '[') return skipNested(text, at);
  const end = skip(PRIMITIVE, text, at);
  return end === text.length || end === at ? -1 : end;
}

function skipNested(text: string, open: number): number {
  const marks = /["{}[\]]/g;
  marks.lastIndex = open;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '"') {
      const end = skipText(text, found.index);
      if (end === -1) return -1;
      marks.lastIndex = end;
      continue;
    }
    depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return found.index + 1;
  }
  return -1;
}

function skipText(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return -1;
}
