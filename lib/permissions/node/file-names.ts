import { PLUMBING_TOOLS } from '@/lib/manifests';
import type { ServerEntry } from '@/lib/servers';
import { decideExposedName } from '../decide-name';
import { toNameSource, type ExposedNames, type NamedTool } from './exposed-names';
import { sha256 } from './stored-names';

interface KnownServer {
  readonly entry: ServerEntry;
  readonly tools: Set<string>;
}

/**
 * Names of a `--config` file's tools: given in order of key, then of tool, whatever was learnt first, so that
 * every command on the file gives the same. Held for the length of the command.
 */
export class FileNames implements ExposedNames {
  private readonly known = new Map<string, KnownServer>();
  private assigned: Assignment | null = null;

  learn(entry: ServerEntry, tools: readonly string[]): void {
    const server = this.known.get(entry.key);
    const named = new Set([...(server?.tools ?? []), ...tools.filter((tool) => !PLUMBING_TOOLS.has(tool))]);
    this.known.set(entry.key, { entry, tools: named });
    this.assigned = null;
  }

  nameOf(entry: ServerEntry, tool: string): string {
    const known = this.known.get(entry.key);
    if (!known?.tools.has(tool)) this.known.set(entry.key, { entry, tools: new Set([...(known?.tools ?? []), tool]) });
    if (!known?.tools.has(tool)) this.assigned = null;
    const name = this.assignment().nameByTool.get(identityOf(entry.key, tool));
    if (name === undefined) throw new Error(`no name was given to ${tool} of ${entry.key}`);
    return name;
  }

  find(name: string): NamedTool | undefined {
    return this.assignment().toolByName.get(name);
  }

  private assignment(): Assignment {
    this.assigned ??= assign([...this.known.values()]);
    return this.assigned;
  }
}

interface Assignment {
  readonly nameByTool: ReadonlyMap<string, string>;
  readonly toolByName: ReadonlyMap<string, NamedTool>;
}

const identityOf = (key: string, tool: string): string => `${key}\0${tool}`;
const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function assign(servers: readonly KnownServer[]): Assignment {
  const nameByTool = new Map<string, string>();
  const toolByName = new Map<string, NamedTool>();
  for (const { entry, tools } of servers.toSorted((a, b) => byCode(a.entry.key, b.entry.key))) {
    for (const tool of [...tools].sort(byCode)) {
      const name = decideExposedName(toNameSource(entry, tool), (taken) => toolByName.has(taken), sha256);
      nameByTool.set(identityOf(entry.key, tool), name);
      toolByName.set(name, { serverKey: entry.key, tool });
    }
  }
  return { nameByTool, toolByName };
}
