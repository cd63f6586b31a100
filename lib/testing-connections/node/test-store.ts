import { and, desc, eq, notInArray } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { connectionTests } from '@/db/schema';
import { isObject, type TestId } from '@/lib/core';
import { isServerKey, type ServerKey } from '@/lib/servers';
import type { ConnectionTestResult } from '../test-result';

/** A test of a saved server, as it is kept: without the snapshot, which has a store of its own. */
export interface StoredTest {
  readonly id: string;
  readonly serverKey: ServerKey;
  readonly fingerprint: string;
  readonly startedAt: number;
  readonly result: ConnectionTestResult;
}

/** How many tests of one server are kept. */
const KEPT_TESTS = 50;

/** The tests of saved servers. */
export class TestStore {
  constructor(private readonly database: Database) {}

  /** Keeps a test and forgets the server's oldest beyond the fiftieth; call it inside a transaction. */
  save(id: TestId, serverKey: ServerKey, fingerprint: string, result: ConnectionTestResult): void {
    const { orm } = this.database;
    const { startedAt, ok, latencyMs } = result;
    orm.insert(connectionTests).values({ id, serverKey, fingerprint, startedAt, ok, latencyMs, result: { ...result, snapshot: null } }).run();
    const newest = orm
      .select({ id: connectionTests.id })
      .from(connectionTests)
      .where(eq(connectionTests.serverKey, serverKey))
      .orderBy(desc(connectionTests.startedAt), desc(connectionTests.id))
      .limit(KEPT_TESTS);
    orm.delete(connectionTests).where(and(eq(connectionTests.serverKey, serverKey), notInArray(connectionTests.id, newest))).run();
  }

  /** The newest test of a server. */
  findLast(serverKey: ServerKey): StoredTest | undefined {
    const row = this.database.orm
      .select()
      .from(connectionTests)
      .where(eq(connectionTests.serverKey, serverKey))
      .orderBy(desc(connectionTests.startedAt), desc(connectionTests.id))
      .limit(1)
      .get();
    return row && toStoredTest(row);
  }

  find(id: TestId): StoredTest | undefined {
    const row = this.database.orm.select().from(connectionTests).where(eq(connectionTests.id, id)).get();
    return row && toStoredTest(row);
  }
}

function toStoredTest(row: typeof connectionTests.$inferSelect): StoredTest {
  if (!isObject(row.result) || !isServerKey(row.serverKey)) throw new Error(`the connection test ${row.id} is damaged`);
  // Only `save` writes the column, and it takes nothing else.
  const result = row.result as unknown as ConnectionTestResult;
  return { id: row.id, serverKey: row.serverKey, fingerprint: row.fingerprint, startedAt: row.startedAt, result };
}
