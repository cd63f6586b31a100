import { isObject, toCanonicalJson, type Json, type JsonObject } from '@/lib/core';
import type { ListedTool } from './tool-list';

/** What a pin covers: a change of any of these is a changed tool. */
const PINNED_FIELDS = ['name', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The part of a tool that its pin covers, as the server sent it; null counts as left out. */
export function toPinDefinition(tool: ListedTool): JsonObject {
  const stated = PINNED_FIELDS.flatMap((field): [string, Json][] => {
    const value = tool.raw[field];
    return value === undefined || value === null ? [] : [[field, value]];
  });
  return Object.fromEntries(stated);
}

/** The text whose hash is the pin: one for one definition, whatever the order of its keys. */
export const pinOf = (tool: ListedTool): string => toCanonicalJson(toPinDefinition(tool));

/** One place where a tool is no longer as it was reviewed; null is absent. */
export interface PinDifference {
  /** `description`, or a path such as `inputSchema.properties.path`. */
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

/** Every place where two pinned definitions differ; lists are compared as a whole. */
export function diffPins(before: JsonObject, after: JsonObject, path = ''): readonly PinDifference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((name): readonly PinDifference[] => {
    const field = path === '' ? name : `${path}.${name}`;
    const was = memberOf(before, name);
    const is = memberOf(after, name);
    if (toCanonicalJson(was) === toCanonicalJson(is)) return [];
    return isJsonObject(was) && isJsonObject(is) ? diffPins(was, is, field) : [{ field, before: was, after: is }];
  });
}

/** Own members only: a schema may well have a property named `constructor`. */
const memberOf = (object: JsonObject, name: string): Json => (Object.hasOwn(object, name) ? (object[name] ?? null) : null);

const isJsonObject = (value: Json): value is JsonObject => isObject(value);
