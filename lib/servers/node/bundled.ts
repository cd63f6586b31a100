import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { settings } from '@/db/schema';
import { parseServerEntry, toLiteralText, toServerKey, type ServerEntry, type StdioEntry } from '..';

/** How the bundled server is started in this installation. */
export interface BundledCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export const BUNDLED_KEY = toServerKey('analysis');

/** Set once the bundled server was offered: deleting it then outlives restarts and upgrades. */
const SEEDED = 'servers.bundled_seeded';

export function wasSeeded(database: Database): boolean {
  return database.orm.select({ name: settings.name }).from(settings).where(eq(settings.name, SEEDED)).get() !== undefined;
}

/** Whether it was not marked before: of two processes that start at once, one seeds. */
export function markSeeded(database: Database, at: number): boolean {
  const marked = database.orm.insert(settings).values({ name: SEEDED, value: true, changedAt: at }).onConflictDoNothing().run();
  return marked.changes > 0;
}

/** The entry that a new install starts with. A `${` in a path of the installation is meant as it stands. */
export function toBundledEntry({ command, args }: BundledCommand): StdioEntry {
  const entry = parseServerEntry({
    key: BUNDLED_KEY,
    label: 'Analysis',
    command: toLiteralText(command),
    args: args.map(toLiteralText),
  });
  if (!entry.ok || entry.value.transport !== 'stdio') throw new Error('the bundled server is no valid entry');
  return entry.value;
}

/** Whether an entry still starts the same program: what a person edits beside it leaves the entry the bundled one. */
export const hasSameCommand = (one: ServerEntry, other: ServerEntry): boolean =>
  one.transport === 'stdio' &&
  other.transport === 'stdio' &&
  JSON.stringify([one.command, one.args]) === JSON.stringify([other.command, other.args]);
