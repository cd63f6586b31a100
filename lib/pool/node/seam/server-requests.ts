import { isObject, type Json, type JsonObject } from '@/lib/core';

/** What a server asks a person for (product section 2.3): the fields of a form, or to open an address. */
export type Elicitation =
  | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: JsonObject }
  | { readonly mode: 'url'; readonly message: string; readonly url: string };

/** `content` of an accepted form may leave out fields that have a default; of an address it says nothing. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** What a server wants a model to write: the parameters of `sampling/createMessage` as they came. */
export interface Sampling {
  readonly params: JsonObject;
}

export type SamplingAnswer =
  | { readonly action: 'accept'; readonly model: string; readonly text: string }
  | { readonly action: 'decline' | 'cancel' };

/** Who answers what servers ask for. What has nobody to answer it is declined, and the call in flight says so. */
export interface ServerRequestHooks {
  /** The signal fires when the server takes its question back or the connection ends. */
  readonly onElicitation?: (elicitation: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
  readonly onSampling?: (sampling: Sampling, signal: AbortSignal) => Promise<SamplingAnswer>;
}

/**
 * A form's content with the schema's defaults for the fields that it leaves out (SEP-1034). Forms are flat: what a
 * default of a nested object would mean is not defined.
 */
export function fillDefaults(schema: JsonObject, content: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const defaults = Object.entries(properties).flatMap(([name, property]): [string, Json][] =>
    !Object.hasOwn(content, name) && isObject(property) && property.default !== undefined ? [[name, property.default]] : [],
  );
  return Object.fromEntries([...Object.entries(content), ...defaults]);
}
