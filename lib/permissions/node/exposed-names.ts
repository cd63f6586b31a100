import type { ServerEntry, ServerKey } from '@/lib/servers';
import type { NameSource } from '../decide-name';

export interface NamedTool {
  readonly serverKey: ServerKey;
  readonly tool: string;
}

/** Which exposed name belongs to which tool, both ways (product section 9); nothing is parsed out of a name. */
export interface ExposedNames {
  /** Gives names to the tools of a list, in its order; call it whenever a list was read. Plumbing is passed over. */
  learn(entry: ServerEntry, tools: readonly string[]): void;
  /** The tool's exposed name; gives it one where it has none yet. */
  nameOf(entry: ServerEntry, tool: string): string;
  find(name: string): NamedTool | undefined;
}

export const toNameSource = (entry: ServerEntry, tool: string): NameSource => ({
  key: entry.key,
  tool,
  prefix: entry.prefix,
  alias: Object.hasOwn(entry.aliases, tool) ? (entry.aliases[tool] ?? null) : null,
});
