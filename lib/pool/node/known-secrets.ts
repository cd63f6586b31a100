import { isObject, Redactor, type Json, type JsonObject } from '@/lib/core';
import { listSecretTexts } from './traffic/secret-texts';

/** What is nested deeper is nothing that is kept: an entry of a list that is so deep is set aside. */
const DEEPEST = 1_000;
const LONGEST_NAME = 4_096;
/** Words of the protocol and of JSON Schema stay, also where a secret is one of them: without them nothing can be read. */
const VOCABULARY: ReadonlySet<string> = new Set([
  'name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'arguments', 'uriTemplate', 'mimeType', 'required',
  'type', 'properties', 'items', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'default', 'additionalProperties',
  'object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'content', 'text', 'structuredContent', 'tools',
]);

/** The secrets that one server was given: it may say them back in whatever it tells of itself, which is kept and shown. */
export class KnownSecrets {
  private readonly redactor: Redactor | null;
  /** The texts that were changed, by what they became. */
  private readonly originals = new Map<string, string>();

  constructor(values: readonly string[]) {
    this.redactor = values.length === 0 ? null : new Redactor(listSecretTexts(values));
  }

  /** The text without the values, and with all else that it says. */
  text(text: string): string {
    if (this.redactor === null || VOCABULARY.has(text)) return text;
    const scrubbed = this.redactor.withoutWireValues(text, false);
    if (scrubbed !== text && text.length <= LONGEST_NAME && !this.originals.has(scrubbed)) this.originals.set(scrubbed, text);
    return scrubbed;
  }

  /** A copy of a value off the wire without the values: in its texts and in the names of its members. */
  value(value: Json): Json {
    return this.redactor === null ? value : this.walk(value, 0);
  }

  object(value: JsonObject): JsonObject {
    return this.redactor === null ? value : this.walkObject(value, 0);
  }

  /** What the server calls something that is named so here: to be sent to it, and kept nowhere. */
  original(name: string): string {
    return this.originals.get(name) ?? name;
  }

  private walk(value: Json, depth: number): Json {
    if (typeof value === 'string') return this.text(value);
    if (depth > DEEPEST) return value;
    if (Array.isArray(value)) return value.map((item: Json) => this.walk(item, depth + 1));
    return isJsonObject(value) ? this.walkObject(value, depth) : value;
  }

  private walkObject(value: JsonObject, depth: number): JsonObject {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.text(name), this.walk(member, depth + 1)]));
  }
}

const isJsonObject = (value: Json): value is JsonObject => isObject(value);
