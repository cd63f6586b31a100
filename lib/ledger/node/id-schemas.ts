import { z } from 'zod';
import { callIds, runIds, viewIds } from '@/lib/core';

/** A branded id is what its own parser accepts. */
const idSchema = <Id extends string>(ids: { parse(text: string): Id | undefined }) =>
  z.string().transform((text, context) => {
    const id = ids.parse(text);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: 'a malformed id' });
    return z.NEVER;
  });

export const callIdSchema = idSchema(callIds);
export const runIdSchema = idSchema(runIds);
export const viewIdSchema = idSchema(viewIds);
