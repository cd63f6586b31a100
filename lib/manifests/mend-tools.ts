import { isNestedDeeperThan, isObject, toVisibleText, type JsonObject } from '@/lib/core';
import type { ListedTool, SetAsideTool, ToolAnnotations, ToolList } from './tool-list';
import { isWireObject, MAX_DEPTH } from './wire-json';

/**
 * The tools of a server's list: well-formed ones, and those set aside with the reason. Takes the entries of
 * every page together, as an array or as `{tools: […]}`, so that two of one name are seen wherever they stand.
 * Never throws. Null on an optional field is the field left out (product section 2).
 */
export function mendToolList(raw: unknown): ToolList {
  const entries = entriesOf(raw);
  if (!entries) {
    return { tools: [], setAside: [], warnings: ['The answer to tools/list has no list of tools in it.'] };
  }
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const tools: ListedTool[] = [];
  const setAside: SetAsideTool[] = [];
  for (const entry of entries) {
    const name = nameOf(entry);
    const count = name === null ? 1 : (counts.get(name) ?? 1);
    const mended =
      count > 1 ? `The server lists ${count} tools of this name, so none of them can be told apart.` : mendTool(entry);
    if (typeof mended === 'string') setAside.push({ name, reason: mended, raw: boundedRaw(entry) });
    else tools.push(mended);
  }
  return { tools, setAside, warnings: [] };
}

function entriesOf(raw: unknown): readonly unknown[] | null {
  const list: unknown = isObject(raw) ? raw['tools'] : raw;
  return isList(list) ? list : null;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const nameOf = (entry: unknown): string | null =>
  isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : null;

const boundedRaw = (entry: unknown): unknown => (isNestedDeeperThan(entry, MAX_DEPTH) ? null : entry);

/** The tool, or the reason why it cannot be one. */
function mendTool(entry: unknown): ListedTool | string {
  if (!isWireObject(entry)) return 'An entry of the list is no object.';
  const name = entry['name'];
  if (typeof name !== 'string') return 'It has no name.';
  if (name === '') return 'Its name is empty.';
  if (hasControlCharacter(name)) return `Its name has control characters in it: ${toVisibleName(name)}.`;
  if (isNestedDeeperThan(entry, MAX_DEPTH)) return `Its definition is nested more than ${MAX_DEPTH} levels deep.`;
  const { inputSchema, outputSchema, annotations, title, description } = entry;
  if (!isObjectSchema(inputSchema)) return schemaFault('inputSchema', inputSchema);
  if (!isAbsent(outputSchema) && !isWireObject(outputSchema)) return schemaFault('outputSchema', outputSchema);
  if (!isAbsent(title) && typeof title !== 'string') return 'Its title is not text.';
  if (!isAbsent(description) && typeof description !== 'string') return 'Its description is not text.';
  if (!isAbsent(annotations) && !isWireObject(annotations)) return 'Its annotations are no object.';
  return {
    name,
    title: title ?? null,
    description: description ?? null,
    inputSchema,
    outputSchema: outputSchema ?? null,
    annotations: isWireObject(annotations) ? readAnnotations(annotations) : {},
    raw: entry,
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Arguments are always an object; a schema that leaves out `type` says nothing against it. */
function isObjectSchema(value: unknown): value is JsonObject {
  if (!isWireObject(value)) return false;
  const type = value['type'];
  return isAbsent(type) || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function schemaFault(field: 'inputSchema' | 'outputSchema', value: unknown): string {
  if (isAbsent(value)) return `It has no ${field}.`;
  return isObject(value) ? `Its ${field} describes something other than an object.` : `Its ${field} is no object.`;
}

/** Hints of another type than the protocol's are left out: an unstated hint is the careful reading. */
function readAnnotations(raw: JsonObject): ToolAnnotations {
  const hint = (name: string): boolean | undefined => (typeof raw[name] === 'boolean' ? raw[name] : undefined);
  const title = typeof raw['title'] === 'string' ? raw['title'] : undefined;
  const readOnlyHint = hint('readOnlyHint');
  const destructiveHint = hint('destructiveHint');
  const idempotentHint = hint('idempotentHint');
  const openWorldHint = hint('openWorldHint');
  return {
    ...(title !== undefined && { title }),
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}

 
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/;
const hasControlCharacter = (name: string): boolean => CONTROL.test(name);

/** `toVisibleText` keeps tab and newline; in a name they are as hidden as the rest. */
const toVisibleName = (name: string): string =>
  toVisibleText(name).replaceAll('\t', '<U+0009>').replaceAll('\n', '<U+000A>').slice(0, 200);
