import type { FieldError, Result } from '@/lib/core';
import type { ResolvedServer, ServerEntry } from '..';

export interface ResolveContext {
  /** The environment that the console was started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** A value of the vault. */
  readonly findSecret: (name: string) => string | undefined;
  readonly jobDirectory: string | null;
  readonly runId: string | null;
}

export declare function resolveServer(
  entry: ServerEntry,
  context: ResolveContext,
): Result<ResolvedServer, readonly FieldError[]>;
