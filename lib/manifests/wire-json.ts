import { isObject, type JsonObject } from '@/lib/core';

/** What came over the wire was parsed from JSON, so an object is one all the way down. */
export const isWireObject = (value: unknown): value is JsonObject => isObject(value);

/** Beyond this a value cannot be safely walked, printed or kept; no honest schema comes near. */
export const MAX_DEPTH = 256;
