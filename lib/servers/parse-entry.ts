import type { FieldError, Result } from '@/lib/core';
import type { ServerEntry } from './entry';

export declare function parseServerEntry(
  input: unknown,
  options?: { readonly key?: string },
): Result<ServerEntry, readonly FieldError[]>;
