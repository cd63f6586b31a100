import { err, isObject, ok, type Json, type JsonObject, type Result } from '@/lib/core';
import type { StoredPayload } from '@/lib/ledger';

/** What a payload holds, or its preview does; the text itself where it is no JSON. */
export function parseStored(payload: StoredPayload): Result<Json, string> {
  const text = payload.kind === 'inline' ? payload.json : payload.preview;
  try {
    return ok(JSON.parse(text) as Json); // what JSON.parse returns is JSON
  } catch {
    return err(text);
  }
}

export const isJsonObject = (value: Json): value is JsonObject => isObject(value);

/**
 * A payload's text, laid out for editing. It stays as it is where reading it would change it: a number with more
 * digits than JavaScript keeps must not be rounded on its way into the editor.
 */
export function toEditableText(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(value) === json ? JSON.stringify(value, null, 2) : json;
  } catch {
    return json;
  }
}
