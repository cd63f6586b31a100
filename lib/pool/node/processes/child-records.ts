import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { childProcesses } from '@/db/schema';
import type { ServerKey } from '@/lib/servers';

/** What identifies a started child after a crash: its group with the start time, and the marker in its environment. */
export interface ChildRecord {
  readonly marker: string;
  readonly serverKey: ServerKey | string;
  readonly processGroup: number;
  readonly startTicks: string;
  readonly ownerProcess: number;
  readonly ownerStartTicks: string;
  readonly startedAt: number;
}

/** Where started children are written down, so that a later start can end what a crash left. */
export interface ChildRecords {
  add(record: ChildRecord): void;
  remove(marker: string): void;
  list(): readonly ChildRecord[];
}

export class StoredChildRecords implements ChildRecords {
  constructor(private readonly database: Database) {}

  add(record: ChildRecord): void {
    this.database.orm.insert(childProcesses).values(record).onConflictDoNothing().run();
  }

  remove(marker: string): void {
    this.database.orm.delete(childProcesses).where(eq(childProcesses.marker, marker)).run();
  }

  list(): readonly ChildRecord[] {
    return this.database.orm.select().from(childProcesses).all();
  }
}
