import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { serverSnapshots } from '@/db/schema';
import type { ServerKey } from '@/lib/servers';
import type { ServerSnapshot } from '..';
import { snapshotSchema } from './snapshot-schema';

export interface StoredSnapshot {
  /** Of the configuration that was read: a snapshot of another one is not the server's any more. */
  readonly fingerprint: string;
  readonly snapshot: ServerSnapshot;
}

/** What each server offered when it was last read. */
export class SnapshotStore {
  constructor(private readonly database: Database) {}

  save(key: ServerKey, fingerprint: string, snapshot: ServerSnapshot): void {
    const row = { fingerprint, snapshot, readAt: snapshot.readAt };
    this.database.orm
      .insert(serverSnapshots)
      .values({ serverKey: key, ...row })
      .onConflictDoUpdate({ target: serverSnapshots.serverKey, set: row })
      .run();
  }

  /** undefined where none was kept, or where another version kept it in a form that is no longer read. */
  find(key: ServerKey): StoredSnapshot | undefined {
    const row = this.database.orm.select().from(serverSnapshots).where(eq(serverSnapshots.serverKey, key)).get();
    const parsed = row && snapshotSchema.safeParse(row.snapshot);
    return row && parsed?.success ? { fingerprint: row.fingerprint, snapshot: parsed.data } : undefined;
  }
}
