import { isObject, toVisibleText, type Json, type JsonObject } from '@/lib/core';
import type { ListedTool, ToolList } from '@/lib/manifests';

const ANNOTATION = 'x-mcp-header';
/** A header name's part, RFC 9110 section 5.1. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Where a schema has others in it that say nothing about one certain parameter. */
const BRANCHES = [
  'items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames',
  'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else',
] as const;
/** The same, each under a name of its own. */
const NAMED_BRANCHES = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'] as const;

/**
 * Sets aside the tools whose parameters cannot be mirrored into headers as their schema asks: a client must not call
 * them over Streamable HTTP (revision 2026-07-28, "x-mcp-header").
 */
export function setAsideUnmirrorable(list: ToolList): ToolList {
  const tools: ListedTool[] = [];
  const setAside = [...list.setAside];
  for (const tool of list.tools) {
    const reason = findHeaderFault(tool.inputSchema);
    if (reason === null) tools.push(tool);
    else setAside.push({ name: tool.name, reason, raw: tool.raw });
  }
  return { ...list, tools, setAside };
}

/** The first fault of a schema's header annotations as a sentence, or null. Its depth is bounded by the list's mending. */
export function findHeaderFault(inputSchema: JsonObject): string | null {
  const taken = new Set<string>();

  const visit = (schema: Json | undefined, path: readonly string[], isParameter: boolean): string | null => {
    if (!isObject(schema)) return null;
    if (Object.hasOwn(schema, ANNOTATION)) {
      const fault = findFault(schema, path.join('.'), isParameter && path.length > 0, taken);
      if (fault !== null) return fault;
    }
    const { properties } = schema;
    for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
      const fault = visit(property, [...path, name], isParameter);
      if (fault !== null) return fault;
    }
    for (const branch of listBranches(schema)) {
      const fault = visit(branch, path, false);
      if (fault !== null) return fault;
    }
    return null;
  };

  return visit(inputSchema, [], true);
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const listBranches = (schema: JsonObject): readonly (Json | undefined)[] => [
  ...BRANCHES.flatMap((keyword): readonly (Json | undefined)[] => {
    const branch = schema[keyword];
    return isList(branch) ? branch : [branch];
  }),
  ...NAMED_BRANCHES.flatMap((keyword): readonly (Json | undefined)[] => {
    const named = schema[keyword];
    return isObject(named) ? Object.values(named) : [];
  }),
];

function findFault(schema: JsonObject, name: string, isParameter: boolean, taken: Set<string>): string | null {
  const header = schema[ANNOTATION];
  const where = `the parameter "${toVisibleText(name)}"`;
  if (!isParameter) return `It asks for a header (${ANNOTATION}) where no single parameter is meant.`;
  if (typeof header !== 'string' || header === '') return `The header that it asks for ${where} has no name.`;
  const shown = toVisibleText(header);
  if (!TOKEN.test(header)) return `The header that it asks for ${where} has a name that no header can have: "${shown}".`;
  if (!MIRRORED_TYPES.has(schema.type)) return `It asks for ${where} in a header, but only text, whole numbers and yes or no can be sent in one.`;
  if (taken.has(header.toLowerCase())) return `It asks for two parameters in one header, "${shown}".`;
  taken.add(header.toLowerCase());
  return null;
}
