import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ACTOR_KINDS } from '@/lib/auth';
import { OUTCOMES } from '@/lib/calls';
import { at, flag, json } from './columns';

/** What calls belong to; session runs now, the runs of packs and agents when they arrive. */
export const runs = sqliteTable('runs', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['session'] }).notNull(),
  actorKind: text('actor_kind', { enum: ACTOR_KINDS }).notNull(),
  actorName: text('actor_name').notNull(),
  /** The sign-in or command that it stands for; one run each. */
  origin: text('origin').notNull().unique(),
  entryCount: integer('entry_count').notNull().default(0),
  startedAt: at('started_at').notNull(),
});

/** Canonical and append-only (by trigger): what happened to each call, in order of the feed. */
export const ledgerEvents = sqliteTable(
  'ledger_events',
  {
    cursor: integer('cursor').primaryKey({ autoIncrement: true }),
    entrySequence: integer('entry_sequence').notNull(),
    type: text('type').notNull(),
    at: at('at').notNull(),
    event: json('event').notNull(),
  },
  (table) => [index('ledger_events_entry').on(table.entrySequence, table.cursor)],
);

/** The fold of an entry's events, for lists and pages; can be rebuilt from them. */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    callId: text('call_id').notNull(),
    runId: text('run_id').notNull(),
    number: integer('number').notNull(),
    step: text('step'),
    actorKind: text('actor_kind', { enum: ACTOR_KINDS }).notNull(),
    actorName: text('actor_name').notNull(),
    serverKey: text('server_key').notNull(),
    tool: text('tool').notNull(),
    exposedName: text('exposed_name'),
    plumbing: flag('plumbing').notNull(),
    outcome: text('outcome', { enum: OUTCOMES }).notNull(),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    resultBytes: integer('result_bytes'),
    requestedAt: at('requested_at').notNull(),
    queuedAt: at('queued_at'),
    sentAt: at('sent_at'),
    finishedAt: at('finished_at'),
    /** Null until it ended: what has no end has no length to filter by. */
    durationMs: integer('duration_ms').generatedAlwaysAs(sql`(finished_at - requested_at)`, { mode: 'virtual' }),
    attempts: integer('attempts').notNull(),
    /** The process that carries the call, so that a later start knows whose open calls were cut off. */
    ownerProcess: integer('owner_process').notNull(),
    ownerStartTicks: text('owner_start_ticks').notNull(),
    lastCursor: integer('last_cursor').notNull(),
  },
  (table) => [
    uniqueIndex('ledger_entries_call').on(table.callId),
    uniqueIndex('ledger_entries_run').on(table.runId, table.number),
    index('ledger_entries_server').on(table.serverKey, table.sequence),
    index('ledger_entries_tool').on(table.tool, table.sequence),
    index('ledger_entries_outcome').on(table.outcome, table.sequence),
    index('ledger_entries_code').on(table.errorCode, table.sequence),
    // With all that the default view sifts by, so that a range of durations is read from the index alone.
    index('ledger_entries_duration').on(table.durationMs, table.plumbing, table.sequence),
    index('ledger_entries_actor').on(table.actorKind, table.sequence),
    index('ledger_entries_actor_name').on(table.actorName, table.sequence),
    index('ledger_entries_run_sequence').on(table.runId, table.sequence),
    index('ledger_entries_view').on(table.plumbing, table.sequence),
    index('ledger_entries_requested').on(table.requestedAt),
    index('ledger_entries_cursor').on(table.lastCursor),
  ],
);

/** Which entries hold which blobs: one that nothing holds any more can go. */
export const ledgerBlobs = sqliteTable(
  'ledger_blobs',
  {
    sha256: text('sha256').notNull(),
    entrySequence: integer('entry_sequence').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.entrySequence] }), index('ledger_blobs_entry').on(table.entrySequence)],
);

/** Blobs that deleted entries held, until it is certain that nothing else holds them. */
export const releasedBlobs = sqliteTable('released_blobs', {
  sha256: text('sha256').primaryKey(),
  releasedAt: at('released_at').notNull(),
});

/** What was deleted of a run, written before it is: without one a trigger refuses the deletion. Append-only. */
export const ledgerTombstones = sqliteTable(
  'ledger_tombstones',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    runId: text('run_id').notNull(),
    entryCount: integer('entry_count').notNull(),
    firstSequence: integer('first_sequence').notNull(),
    lastSequence: integer('last_sequence').notNull(),
    deletedAt: at('deleted_at').notNull(),
    actorKind: text('actor_kind', { enum: ACTOR_KINDS }).notNull(),
    actorName: text('actor_name').notNull(),
    /** The setting that it was deleted under, in a sentence. */
    reason: text('reason').notNull(),
  },
  (table) => [
    index('ledger_tombstones_run').on(table.runId, table.lastSequence),
    index('ledger_tombstones_sequence').on(table.lastSequence),
  ],
);

/** Filters of the ledger that somebody gave a name. */
export const ledgerViews = sqliteTable(
  'ledger_views',
  {
    id: text('id').primaryKey(),
    ownerName: text('owner_name').notNull(),
    name: text('name').notNull(),
    /** The filter as its part of the address. */
    search: text('search').notNull(),
    shared: flag('shared').notNull(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [uniqueIndex('ledger_views_name').on(table.ownerName, table.name), index('ledger_views_shared').on(table.shared)],
);

/** Which blobs of the store are held, and how large they are. */
export const blobs = sqliteTable('blobs', {
  sha256: text('sha256').primaryKey(),
  sizeBytes: integer('size_bytes').notNull(),
  storedAt: at('stored_at').notNull(),
});
