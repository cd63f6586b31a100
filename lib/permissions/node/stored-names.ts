import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { exposedNames } from '@/db/schema';
import { PLUMBING_TOOLS } from '@/lib/manifests';
import { isServerKey, type ServerEntry } from '@/lib/servers';
import { decideExposedName, isNameOf } from '../decide-name';
import { toNameSource, type ExposedNames, type NamedTool } from './exposed-names';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Names that are kept: once given, a name stays with its tool, in every process on the data directory. */
export class StoredNames implements ExposedNames {
  constructor(private readonly database: Database) {}

  learn(entry: ServerEntry, tools: readonly string[]): void {
    const stored = new Map(
      this.database.orm
        .select()
        .from(exposedNames)
        .where(eq(exposedNames.serverKey, entry.key))
        .all()
        .map((row) => [row.tool, row.name]),
    );
    const wanting = tools.filter((tool) => {
      const name = stored.get(tool);
      return !PLUMBING_TOOLS.has(tool) && (name === undefined || !isNameOf(name, toNameSource(entry, tool)));
    });
    if (wanting.length === 0) return;
    // Begun as a write, so that another process cannot give the same name between our look and our insert.
    this.database.sqlite
      .transaction(() => {
        for (const tool of wanting) this.give(entry, tool);
      })
      .immediate();
  }

  nameOf(entry: ServerEntry, tool: string): string {
    const name = this.findStored(entry, tool);
    if (name !== undefined && isNameOf(name, toNameSource(entry, tool))) return name;
    return this.database.sqlite.transaction(() => this.give(entry, tool)).immediate();
  }

  find(name: string): NamedTool | undefined {
    const row = this.database.orm.select().from(exposedNames).where(eq(exposedNames.name, name)).get();
    return row && isServerKey(row.serverKey) ? { serverKey: row.serverKey, tool: row.tool } : undefined;
  }

  private findStored(entry: ServerEntry, tool: string): string | undefined {
    const own = and(eq(exposedNames.serverKey, entry.key), eq(exposedNames.tool, tool));
    return this.database.orm.select({ name: exposedNames.name }).from(exposedNames).where(own).get()?.name;
  }

  private give(entry: ServerEntry, tool: string): string {
    const isTaken = (name: string): boolean => {
      const holder = this.find(name);
      return holder !== undefined && !(holder.serverKey === entry.key && holder.tool === tool);
    };
    const name = decideExposedName(toNameSource(entry, tool), isTaken, sha256);
    this.database.orm
      .insert(exposedNames)
      .values({ serverKey: entry.key, tool, name })
      .onConflictDoUpdate({ target: [exposedNames.serverKey, exposedNames.tool], set: { name } })
      .run();
    return name;
  }
}
