import { z } from 'zod';

/** The file that a tool works on. */
export const pathArgument = z
  .string()
  .min(1)
  .describe('Path of the file. Relative paths are taken from the job directory; the console puts files there.');

/** An argument with a bound, and the default that an answer is usually fine with. */
export const boundedCount = (what: string, limits: { fallback: number; most: number }) =>
  z.int().min(1).max(limits.most).default(limits.fallback).describe(`${what} (default ${limits.fallback}, at most ${limits.most}).`);

export const readAsAnswer = z
  .record(z.string(), z.string())
  .optional()
  .describe('Search arguments that were read without the quotes around them, and how.');

/** A tool that only reads one local file. */
export const READS_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;
