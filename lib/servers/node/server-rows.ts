import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { servers } from '@/db/schema';
import { parseServerEntry, serverEntrySchema, type ServerEntry, type ServerKey, type ServerRecord } from '..';

type Row = typeof servers.$inferSelect;

/** The rows of the servers' table as records; knows nothing of who may change them. */
export class ServerRows {
  /** What a row was read as, so that an entry which nobody changed is the same object each time and parsed once. */
  private readonly known = new Map<string, { readonly row: string; readonly record: ServerRecord | undefined }>();

  constructor(private readonly database: Database) {}

  /** In order of key. An entry that no version of ours could have written hides none of its neighbours. */
  list(): readonly ServerRecord[] {
    return this.database.orm.select().from(servers).orderBy(servers.key).all().flatMap((row) => this.read(row) ?? []);
  }

  find(key: ServerKey): ServerRecord | undefined {
    const row = this.database.orm.select().from(servers).where(eq(servers.key, key)).get();
    return row && this.read(row);
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
    this.known.delete(key);
  }

  private read(row: Row): ServerRecord | undefined {
    const text = JSON.stringify(row);
    const known = this.known.get(row.key);
    if (known?.row === text) return known.record;
    const record = toRecord(row);
    this.known.set(row.key, { row: text, record });
    return record;
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
