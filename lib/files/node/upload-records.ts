import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { lookups, uploadEntries, uploads } from '@/db/schema';
import { uploadIds, type Clock, type JsonObject, type RunId, type UploadId } from '@/lib/core';
import { findIndicators, type Destination, type DisclosedEntry, type HandedFile, type UploadOutcome } from '..';

/** A process, told from a later one of the same number by when it began. */
export interface Owner {
  readonly processId: number;
  readonly startTicks: string;
}

interface UploadRecordsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The process that uploads. */
  readonly owner: Owner;
  readonly isRunning: (owner: Owner) => boolean;
}

interface LookupRequest extends DisclosedEntry {
  readonly runId: RunId;
  readonly tool: string;
  readonly destination: Destination;
  /** As they go. */
  readonly arguments: JsonObject;
}

/** What was handed to other servers, put on record before the bytes go: after a crash it may say too much, never too little. */
export class UploadRecords {
  constructor(private readonly options: UploadRecordsOptions) {}

  open(runId: RunId, file: HandedFile, to: Destination, confirmedBy: string): UploadId {
    const { database, clock, owner } = this.options;
    const id = uploadIds.create();
    database.orm
      .insert(uploads)
      .values({
        id, runId, serverKey: to.serverKey, host: to.host, thisMachine: to.thisMachine, sha256: file.sha256, name: file.name, kind: file.kind,
        origin: file.origin, sizeBytes: file.sizeBytes, bytesSent: 0, startedAt: clock.now(), outcome: 'sending', words: null, confirmedBy,
        ownerProcess: owner.processId, ownerStartTicks: owner.startTicks,
      })
      .run();
    return id;
  }

  /** A call of the upload goes out with so many bytes of the file. */
  noteSending(id: UploadId, entry: DisclosedEntry, bytes: number): void {
    const { orm } = this.options.database;
    orm.insert(uploadEntries).values({ uploadId: id, entrySequence: entry.sequence, entryId: entry.entryId }).onConflictDoNothing().run();
    if (bytes > 0) this.addBytes(id, bytes);
  }

  /** So many of the bytes that were noted did not go. */
  noteUnsent(id: UploadId, bytes: number): void {
    if (bytes > 0) this.addBytes(id, -bytes);
  }

  settle(id: UploadId, outcome: UploadOutcome, words: string | null): void {
    this.options.database.orm.update(uploads).set({ outcome, words }).where(eq(uploads.id, id)).run();
  }

  noteLookup({ sequence, entryId, runId, tool, destination, arguments: sent }: LookupRequest): void {
    const bytes = Buffer.byteLength(JSON.stringify(sent));
    const indicators = findIndicators(sent);
    const { serverKey, host, thisMachine } = destination;
    this.options.database.orm
      .insert(lookups)
      .values({ entrySequence: sequence, entryId, runId, serverKey, tool, host, thisMachine, bytes, indicators, at: this.options.clock.now() })
      .onConflictDoNothing()
      .run();
  }

  /** Ends the uploads of processes that are gone: nobody knows what became of them. */
  endAbandoned(): void {
    const { database, isRunning } = this.options;
    const open = database.orm
      .select({ id: uploads.id, processId: uploads.ownerProcess, startTicks: uploads.ownerStartTicks })
      .from(uploads)
      .where(eq(uploads.outcome, 'sending'))
      .all();
    for (const { id, ...owner } of open) {
      if (isRunning(owner)) continue;
      const words = 'The process that sent it ended before the server had answered.';
      database.orm.update(uploads).set({ outcome: 'unknown', words }).where(and(eq(uploads.id, id), eq(uploads.outcome, 'sending'))).run();
    }
  }

  private addBytes(id: UploadId, bytes: number): void {
    this.options.database.orm.update(uploads).set({ bytesSent: sql`${uploads.bytesSent} + ${bytes}` }).where(eq(uploads.id, id)).run();
  }
}
