import { z } from 'zod';
import type { ServerSnapshot } from '..';

import { isObject, type JsonObject } from '@/lib/core';

const text = z.string().nullable();
const wireObject = z.custom<JsonObject>(isObject);

const annotationsSchema = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

const toolListSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      title: text,
      description: text,
      inputSchema: wireObject,
      outputSchema: wireObject.nullable(),
      annotations: annotationsSchema,
      raw: wireObject,
    }),
  ),
  setAside: z.array(z.object({ name: text, reason: z.string(), raw: z.unknown() })),
  warnings: z.array(z.string()),
});

const manifestSchema = z.object({
  server: text,
  version: text,
  external: z.boolean(),
  tools: z.array(
    z.object({
      name: z.string(),
      optionalDependency: text,
      available: z.boolean(),
      reason: text,
      timeoutS: z.number().nullable(),
      remediation: text,
      without: text,
      longRunning: z.boolean(),
      verifyWith: z.array(z.string()),
    }),
  ),
});

/** A snapshot as it is stored; one that another version wrote differently is simply read anew. */
export const snapshotSchema: z.ZodType<ServerSnapshot> = z.object({
  readAt: z.number(),
  toolList: toolListSchema,
  manifest: manifestSchema.nullable(),
  manifestProblem: text,
  resources: z.array(
    z.object({
      uri: z.string(),
      name: z.string(),
      title: text,
      description: text,
      mimeType: text,
      sizeBytes: z.number().nullable(),
    }),
  ),
  resourceTemplates: z.array(
    z.object({ uriTemplate: z.string(), name: z.string(), description: text, mimeType: text }),
  ),
  prompts: z.array(
    z.object({
      name: z.string(),
      title: text,
      description: text,
      arguments: z.array(z.object({ name: z.string(), description: text, required: z.boolean() })),
    }),
  ),
});
