import { err, isObject, ok, type Result } from '@/lib/core';
import { isWithin } from './json-size';
import { findAtPointer } from './json-pointer';
import {
  JSON_TYPES, LIST_KEYWORDS, MAP_KEYWORDS, NUMBER_KEYWORDS, SINGLE_KEYWORDS, type JsonType, type NormalSchema, type SubSchema,
} from './normal-schema';
import { findEndlessReference } from './find-endless-reference';
import { isSafePattern } from './safe-pattern';

/** Well past any schema that a person would fill in by hand, and quick to walk. */
const SCHEMA_BOUNDS = { depth: 100, nodes: 20_000 };

export interface NormalisedSchema {
  readonly schema: NormalSchema;
  /** Sentences about rules that are left to the server. */
  readonly warnings: readonly string[];
}

/**
 * Reads a stranger's schema into a normal one, keeping only what is understood. Its error is a sentence that says why
 * nothing can be made of it: too deep or too large, a reference that leads nowhere, or one that never ends.
 */
export function normaliseSchema(schema: unknown): Result<NormalisedSchema, string> {
  if (!isWithin(schema, SCHEMA_BOUNDS)) {
    return err(`The schema is nested more than ${SCHEMA_BOUNDS.depth} levels deep or has more than ${SCHEMA_BOUNDS.nodes} parts.`);
  }
  const reader = new SchemaReader(schema);
  const root = reader.read(schema);
  if (typeof root === 'boolean') return err('The schema describes no fields.');
  const definitions = reader.readDefinitions();
  if (reader.unresolved.size > 0) {
    return err(`The schema refers to ${[...reader.unresolved].map((ref) => `"${ref}"`).join(', ')}, which is not in it.`);
  }
  const whole: NormalSchema = { ...root, $defs: definitions };
  const endless = findEndlessReference(whole);
  if (endless !== null) return err(`The schema refers to itself without end through "${reader.pointerOf(endless)}".`);
  return ok({ schema: whole, warnings: [...reader.warnings] });
}

class SchemaReader {
  readonly warnings = new Set<string>();
  readonly unresolved = new Set<string>();
  private readonly names = new Map<unknown, string>();
  private readonly pointers = new Map<string, string>();
  private readonly waiting: { name: string; target: unknown }[] = [];
  private readonly anchors: ReadonlyMap<string, unknown>;

  constructor(private readonly document: unknown) {
    this.anchors = readAnchors(document);
  }

  pointerOf(name: string): string {
    return this.pointers.get(name) ?? name;
  }

  readDefinitions(): Record<string, SubSchema> {
    const definitions: Record<string, SubSchema> = {};
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      definitions[next.name] = this.read(next.target);
    }
    return definitions;
  }

  read(node: unknown): SubSchema {
    if (typeof node === 'boolean') return node;
    if (!isObject(node)) return true;
    const normal: NormalSchema = { ...this.readWords(node), ...this.readReference(node) };
    for (const keyword of SINGLE_KEYWORDS) {
      const member = node[keyword];
      if (isSchema(member)) normal[keyword] = this.read(member);
    }
    for (const keyword of LIST_KEYWORDS) {
      const members = node[keyword];
      if (Array.isArray(members) && members.length > 0) normal[keyword] = members.map((member) => this.read(member));
    }
    for (const keyword of MAP_KEYWORDS) {
      const members = node[keyword];
      if (isObject(members)) normal[keyword] = this.readMap(members);
    }
    this.readOlderForms(node, normal);
    this.dropRiskyPatterns(normal);
    return normal;
  }

  private readMap(members: Readonly<Record<string, unknown>>): Record<string, SubSchema> {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, this.read(member)]));
  }

  private readReference(node: Readonly<Record<string, unknown>>): NormalSchema {
    const ref = [node['$ref'], node['$dynamicRef'], node['$recursiveRef']].find((value) => typeof value === 'string');
    if (ref === undefined) return {};
    const target = ref.startsWith('#') ? (findAtPointer(this.document, ref) ?? this.anchors.get(ref.slice(1))) : undefined;
    if (!isSchema(target)) {
      this.unresolved.add(ref);
      return {};
    }
    let name = this.names.get(target);
    if (name === undefined) {
      name = `d${this.names.size}`;
      this.names.set(target, name);
      this.pointers.set(name, ref);
      this.waiting.push({ name, target });
    }
    return { $ref: `#/$defs/${name}` };
  }

  private readWords(node: Readonly<Record<string, unknown>>): NormalSchema {
    const words: NormalSchema = {};
    for (const keyword of ['title', 'description', 'format', 'pattern'] as const) {
      const value = node[keyword];
      if (typeof value === 'string') words[keyword] = value;
    }
    for (const keyword of NUMBER_KEYWORDS) {
      const value = node[keyword];
      if (typeof value === 'number') words[keyword] = value;
    }
    const types = [node['type']].flat().filter(isJsonType);
    if (types.length > 0) words.type = [...new Set(types)];
    if (Array.isArray(node['required'])) words.required = node['required'].filter((name) => typeof name === 'string');
    if (Array.isArray(node['enum'])) words.enum = node['enum'];
    if (Object.hasOwn(node, 'const')) words.enum = [node['const']];
    if (Object.hasOwn(node, 'default')) words.default = node['default'];
    if (node['uniqueItems'] === true) words.uniqueItems = true;
    if (isObject(node['dependentRequired'])) words.dependentRequired = readNameLists(node['dependentRequired']);
    return words;
  }

  /** Draft 7 tuples and dependencies, in the words of 2020-12. */
  private readOlderForms(node: Readonly<Record<string, unknown>>, normal: NormalSchema): void {
    if (Array.isArray(node['items'])) {
      normal.prefixItems = node['items'].map((member) => this.read(member));
      if (isSchema(node['additionalItems'])) normal.items = this.read(node['additionalItems']);
    }
    if (isObject(node['dependencies'])) {
      const entries = Object.entries(node['dependencies']);
      normal.dependentRequired = { ...readNameLists(node['dependencies']), ...normal.dependentRequired };
      const schemas = Object.fromEntries(entries.filter(([, member]) => isObject(member)));
      normal.dependentSchemas = { ...this.readMap(schemas), ...normal.dependentSchemas };
    }
  }

  private dropRiskyPatterns(normal: NormalSchema): void {
    if (normal.pattern !== undefined && !isSafePattern(normal.pattern)) {
      this.warnings.add(`The pattern "${normal.pattern.slice(0, 80)}" is not checked here; the server checks it.`);
      delete normal.pattern;
    }
    const risky = Object.keys(normal.patternProperties ?? {}).filter((pattern) => !isSafePattern(pattern));
    if (risky.length > 0) {
      this.warnings.add('Names of further fields are not checked here; the server checks them.');
      delete normal.patternProperties;
      // With the pattern gone, the fields that it allows would be refused.
      delete normal.additionalProperties;
    }
  }
}

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);

const isJsonType = (value: unknown): value is JsonType => JSON_TYPES.some((type) => type === value);

const readNameLists = (members: Readonly<Record<string, unknown>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, list]) =>
      Array.isArray(list) ? [[name, list.filter((item) => typeof item === 'string')] as const] : [],
    ),
  );

function readAnchors(document: unknown): ReadonlyMap<string, unknown> {
  const anchors = new Map<string, unknown>();
  const open: unknown[] = [document];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value)) {
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const name = value[keyword];
        if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, value);
      }
    }
    for (const member of Object.values(value) as unknown[]) if (member !== undefined) open.push(member); // any's values are unknown
  }
  return anchors;
}
