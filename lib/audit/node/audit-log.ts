import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { auditEvents } from '@/db/schema';
import type { Actor } from '@/lib/auth';
import { isObject, type Clock, type JsonObject } from '@/lib/core';

/** A change as it is put on record: what happened, to what; never a value that is secret. */
export interface AuditEvent {
  /** A past fact, `server.saved`. */
  readonly type: string;
  /** `server:files`, `person:ann@example.org`, `secret:API_KEY`. */
  readonly subject: string;
  readonly details: JsonObject;
}

export interface AuditRecord extends AuditEvent {
  readonly sequence: number;
  readonly at: number;
  readonly actorKind: string;
  readonly actorName: string;
}

/** Writes audit events in the name of one actor. */
export interface AuditWriter {
  record(event: AuditEvent): void;
}

interface AuditOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/** Every change to servers, people, permissions and secrets, and every test and start of a command. */
export class AuditLog {
  constructor(private readonly options: AuditOptions) {}

  /** Synchronous, so that it is called inside the transaction of the change and stands or falls with it. */
  record(actor: Actor, event: AuditEvent): void {
    this.options.database.orm
      .insert(auditEvents)
      .values({ at: this.options.clock.now(), actorKind: actor.kind, actorName: actor.name, ...event })
      .run();
  }

  writerFor(actor: Actor): AuditWriter {
    return { record: (event) => this.record(actor, event) };
  }

  /** Newest first; `before` is the sequence of the last one that was read. */
  list(page: { before: number | null; limit: number; subject?: string }): { records: AuditRecord[]; more: boolean } {
    const rows = this.options.database.orm
      .select()
      .from(auditEvents)
      .where(
        and(
          page.before === null ? undefined : lt(auditEvents.sequence, page.before),
          page.subject === undefined ? undefined : eq(auditEvents.subject, page.subject),
        ),
      )
      .orderBy(desc(auditEvents.sequence))
      .limit(page.limit + 1)
      .all();
    return {
      records: rows.slice(0, page.limit).map((row) => ({ ...row, details: toDetails(row.details) })),
      more: rows.length > page.limit,
    };
  }
}

// Only `record` writes the column, and it takes nothing else.
const toDetails = (details: unknown): JsonObject => (isObject(details) ? (details as JsonObject) : {});
