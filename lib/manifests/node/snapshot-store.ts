import type { Database } from '@/db/client';
import type { ServerKey } from '@/lib/servers';
import type { ServerSnapshot } from '..';

/** What each server offered when it was last read. */
export declare class SnapshotStore {
  constructor(database: Database);
  save(key: ServerKey, fingerprint: string, snapshot: ServerSnapshot): void;
  find(key: ServerKey): { readonly fingerprint: string; readonly snapshot: ServerSnapshot } | undefined;
}
