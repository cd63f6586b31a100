import { z } from 'zod';

import type { JsonObject } from '@/lib/core';

/** A tool's arguments as JSON Schema, as they are before defaults are filled in. */
export const toInputSchema = (schema: z.ZodType): WireSchema => toWireSchema(schema, 'input');

/** A tool's answer as JSON Schema. */
export const toOutputSchema = (schema: z.ZodType): WireSchema => toWireSchema(schema, 'output');

/** The protocol wants an object at the root of both. */
export type WireSchema = JsonObject & { readonly type: 'object' };

function toWireSchema(schema: z.ZodType, io: 'input' | 'output'): WireSchema {
  // Zod's own type allows members that are no JSON (undefined); the way through text drops them.
  const json = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io }))) as JsonObject;
  if (json.type !== 'object') throw new Error('The arguments and the answer of a tool are objects: declare them with z.object or z.strictObject.');
  return { ...json, type: 'object' };
}
