import type { Database } from '@/db/client';
import type { ServerEntry, ServerKey } from '@/lib/servers';

export interface NamedTool {
  readonly serverKey: ServerKey;
  readonly tool: string;
}

/** Which exposed name belongs to which tool, both ways (product section 9). */
export interface ExposedNames {
  /** Gives names to the tools of a list; call it whenever a list was read. Plumbing tools are passed over. */
  learn(entry: ServerEntry, tools: readonly string[]): void;
  /** The tool's exposed name; gives it one where it has none yet. */
  nameOf(entry: ServerEntry, tool: string): string;
  find(name: string): NamedTool | undefined;
}

/** Names that are kept: once given, a name stays with its tool. */
export declare class StoredNames implements ExposedNames {
  constructor(database: Database);
  learn(entry: ServerEntry, tools: readonly string[]): void;
  nameOf(entry: ServerEntry, tool: string): string;
  find(name: string): NamedTool | undefined;
}

/** Names of a `--config` file's tools: given in order of key, then of tool, whatever came first. */
export declare class FileNames implements ExposedNames {
  learn(entry: ServerEntry, tools: readonly string[]): void;
  nameOf(entry: ServerEntry, tool: string): string;
  find(name: string): NamedTool | undefined;
}
