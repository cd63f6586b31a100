import type { FieldError, Result } from '@/lib/core';
import type { ServerEntry, ServerKey } from '@/lib/servers';

export type ConfigurationFormat = 'mcpServers' | 'vscode' | 'toml';

/** Why a text could not be read, and where; line and column count from 1. */
export interface ReadProblem {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** One server as a text names it. */
export interface ConfiguredServer {
  /** As the text has it. */
  readonly name: string;
  readonly key: ServerKey;
  readonly label: string;
  /** The fields of product section 1 that the text states, translated; what a form is filled with. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The whole entry with its defaults, or what is wrong with it. */
  readonly entry: Result<ServerEntry, readonly FieldError[]>;
  /** Keys of the text that were not taken over. */
  readonly ignored: readonly string[];
}

export interface Configuration {
  readonly format: ConfigurationFormat;
  readonly servers: readonly ConfiguredServer[];
  /** Rules on exposed names that the text states. */
  readonly permissions: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly warnings: readonly string[];
}
