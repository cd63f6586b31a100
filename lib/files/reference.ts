import { isJsonObject, type Json, type JsonObject } from '@/lib/core';
import { GIVEN_KINDS, type GivenKind } from './file-kind';

/** What a `file:` reference names: a content, the newest input of a kind, or what an earlier call or step put out. */
export type FileReference =
  | { readonly kind: 'content'; readonly sha256: string }
  | { readonly kind: 'input'; readonly input: GivenKind }
  | { readonly kind: 'output'; readonly step: string; readonly output: string };

/** A string argument that is a reference, and where it stands. */
export interface FoundReference {
  /** JSON pointer into the arguments. */
  readonly pointer: string;
  readonly text: string;
  readonly reference: FileReference;
}

const CONTENT = /^[0-9a-f]{64}$/;
const OUTPUT = /^([a-z][a-z0-9_-]*)\.([a-z][a-z0-9_-]*)$/;

/** The reference that a string exactly is (product section 8); null for any other string. */
function parseReference(text: string): FileReference | null {
  if (!text.startsWith('file:')) return null;
  const name = text.slice('file:'.length);
  if (CONTENT.test(name)) return { kind: 'content', sha256: name };
  const input = GIVEN_KINDS.find((kind) => kind === name);
  if (input !== undefined) return { kind: 'input', input };
  const [, step, output] = OUTPUT.exec(name) ?? [];
  return step === undefined || output === undefined ? null : { kind: 'output', step, output };
}

/** Every reference among the arguments, at any depth, in the order in which they stand. */
export function findReferences(args: JsonObject): readonly FoundReference[] {
  const found: FoundReference[] = [];
  visit(args, '', (text, pointer) => {
    const reference = parseReference(text);
    if (reference !== null) found.push({ pointer, text, reference });
    return text;
  });
  return found;
}

/** The arguments with some of their strings replaced, by what they are; the same object where none is. */
export function replaceReferences(args: JsonObject, paths: ReadonlyMap<string, string>): JsonObject {
  if (paths.size === 0) return args;
  const replaced = visit(args, '', (text) => paths.get(text) ?? text);
  return isJsonObject(replaced) ? replaced : args;
}

function visit(value: Json, pointer: string, replace: (text: string, pointer: string) => string): Json {
  if (typeof value === 'string') return replace(value, pointer);
  if (isList(value)) return value.map((item, index) => visit(item, `${pointer}/${index}`, replace));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member, `${pointer}/${escapeName(name)}`, replace)]));
}

/** RFC 6901. */
const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
