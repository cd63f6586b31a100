import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { servers } from '@/db/schema';
import { parseServerEntry, serverEntrySchema, type ServerEntry, type ServerKey, type ServerRecord } from '..';

type Row = typeof servers.$inferSelect;

/** The rows of the servers' table as records; knows nothing of who may change them. */
export class ServerRows {
  constructor(private readonly database: Database) {}

  /** In order of key. An entry that no version of ours could have written hides none of its neighbours. */
  list(): readonly ServerRecord[] {
    return this.database.orm.select().from(servers).orderBy(servers.key).all().flatMap((row) => toRecord(row) ?? []);
  }

  find(key: ServerKey): ServerRecord | undefined {
    const row = this.database.orm.select().from(servers).where(eq(servers.key, key)).get();
    return row && toRecord(row);
  }

  /** Writes the record over what its key has, or as a new row. */
  put(record: ServerRecord): void {
    const { entry, revision, savedAt, reviewedAt, bundled } = record;
    const row = { entry, revision, savedAt, reviewedAt, bundled };
    this.database.orm
      .insert(servers)
      .values({ key: entry.key, createdAt: savedAt, ...row })
      .onConflictDoUpdate({ target: servers.key, set: row })
      .run();
  }

  remove(key: ServerKey): void {
    this.database.orm.delete(servers).where(eq(servers.key, key)).run();
  }
}

function toRecord(row: Row): ServerRecord | undefined {
  const entry = readStoredEntry(row.entry);
  return (
    entry && {
      entry,
      revision: row.revision,
      savedAt: row.savedAt,
      reviewedAt: row.reviewedAt,
      source: 'stored',
      bundled: row.bundled,
    }
  );
}

/** An entry of an older version lacks the fields that came since: those get their defaults. */
function readStoredEntry(stored: unknown): ServerEntry | undefined {
  const whole = serverEntrySchema.safeParse(stored);
  if (whole.success) return whole.data;
  const filled = parseServerEntry(stored);
  return filled.ok ? filled.value : undefined;
}
