import { and, count, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { inboxReads, stateChanges } from '@/db/schema';
import { systemClock, type Clock } from '@/lib/core';
import type { InboxItem } from '..';

interface InboxPage {
  /** The id of the last item that was read; null begins with the newest. */
  readonly before: number | null;
  readonly limit: number;
  readonly server?: string;
  readonly unreadOnly?: boolean;
}

/** Changes of state as each person has read them or not. */
export class ChangeInbox {
  private readonly database: Database;
  private readonly clock: Clock;

  constructor(options: { readonly database: Database; readonly clock?: Clock }) {
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
  }

  /** Newest first. */
  list(person: string, { before, limit, server, unreadOnly = false }: InboxPage): { readonly items: readonly InboxItem[]; readonly more: boolean } {
    const rows = this.database.orm
      .select({
        id: stateChanges.id, serverKey: stateChanges.serverKey, at: stateChanges.at, from: stateChanges.from, to: stateChanges.to,
        message: stateChanges.message, remediation: stateChanges.remediation, readAt: inboxReads.readAt,
      })
      .from(stateChanges)
      .leftJoin(inboxReads, ofPerson(person))
      .where(
        and(
          before === null ? undefined : lt(stateChanges.id, before),
          server === undefined ? undefined : eq(stateChanges.serverKey, server),
          unreadOnly ? isNull(inboxReads.readAt) : undefined,
        ),
      )
      .orderBy(desc(stateChanges.id))
      .limit(limit + 1)
      .all();
    return { items: rows.slice(0, limit).map(({ readAt, ...item }) => ({ ...item, isRead: readAt !== null })), more: rows.length > limit };
  }

  countUnread(person: string): number {
    const row = this.database.orm.select({ unread: count() }).from(stateChanges).leftJoin(inboxReads, ofPerson(person)).where(isNull(inboxReads.readAt)).get();
    return row?.unread ?? 0;
  }

  /** Marks items as read, or as not read. Ids that are none do nothing. */
  mark(person: string, ids: readonly number[], isRead: boolean): void {
    const readAt = this.clock.now();
    this.database.orm.transaction((transaction) => {
      for (const changeId of ids) {
        if (isRead) transaction.insert(inboxReads).values({ person, changeId, readAt }).onConflictDoNothing().run();
        else transaction.delete(inboxReads).where(and(eq(inboxReads.person, person), eq(inboxReads.changeId, changeId))).run();
      }
    });
  }

  /** Marks what a person has seen as read: everything up to an item, and nothing that came since. */
  markAll(person: string, upTo: number): void {
    this.database.orm.run(
      sql`INSERT INTO inbox_reads (person, change_id, read_at) SELECT ${person}, id, ${this.clock.now()} FROM state_changes WHERE id <= ${upTo} ON CONFLICT DO NOTHING`,
    );
  }

  /** The servers that the inbox has something of, for its filter. */
  servers(): readonly string[] {
    return this.database.orm.selectDistinct({ key: stateChanges.serverKey }).from(stateChanges).orderBy(stateChanges.serverKey).all().map(({ key }) => key);
  }
}

const ofPerson = (person: string) => and(eq(inboxReads.changeId, stateChanges.id), eq(inboxReads.person, person));
