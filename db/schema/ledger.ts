import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
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
    index('ledger_entries_actor').on(table.actorKind, table.sequence),
    index('ledger_entries_actor_name').on(table.actorName, table.sequence),
    index('ledger_entries_run_sequence').on(table.runId, table.sequence),
    index('ledger_entries_view').on(table.plumbing, table.sequence),
    index('ledger_entries_requested').on(table.requestedAt),
    index('ledger_entries_cursor').on(table.lastCursor),
  ],
);

/** Which blobs of the store are held, and how large they are. */
export const blobs = sqliteTable('blobs', {
  sha256: text('sha256').primaryKey(),
  sizeBytes: integer('size_bytes').notNull(),
  storedAt: at('stored_at').notNull(),
});
