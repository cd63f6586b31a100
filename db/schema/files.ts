import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ACTOR_KINDS } from '@/lib/auth';
import { FILE_KINDS, GIVEN_KINDS, UPLOAD_OUTCOMES } from '@/lib/files';
import { at, flag, json } from './columns';

/** Contents that people gave, once each; one that was deleted keeps its row, and says who did. */
export const samples = sqliteTable(
  'samples',
  {
    sha256: text('sha256').primaryKey(),
    sizeBytes: integer('size_bytes').notNull(),
    kind: text('kind', { enum: GIVEN_KINDS }).notNull(),
    addedAt: at('added_at').notNull(),
    actorKind: text('actor_kind', { enum: ACTOR_KINDS }).notNull(),
    actorName: text('actor_name').notNull(),
    facts: json('facts'),
    deletedAt: at('deleted_at'),
    deletedBy: text('deleted_by'),
  },
  (table) => [index('samples_added').on(table.deletedAt, table.addedAt)],
);

/** The names that a content came by. */
export const sampleNames = sqliteTable(
  'sample_names',
  {
    sha256: text('sha256').notNull(),
    name: text('name').notNull(),
    addedAt: at('added_at').notNull(),
    actorName: text('actor_name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.name] }), index('sample_names_name').on(table.name)],
);

/** Files on their way into the store from a browser, which can be taken up again where they broke off. */
export const intakes = sqliteTable(
  'intakes',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: GIVEN_KINDS }).notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    actorKind: text('actor_kind', { enum: ACTOR_KINDS }).notNull(),
    actorName: text('actor_name').notNull(),
    startedAt: at('started_at').notNull(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [index('intakes_changed').on(table.changedAt)],
);

/** The files that people gave to a run: what `file:sample` and its like name there. */
export const runFiles = sqliteTable(
  'run_files',
  {
    runId: text('run_id').notNull(),
    sha256: text('sha256').notNull(),
    kind: text('kind', { enum: GIVEN_KINDS }).notNull(),
    name: text('name').notNull(),
    givenAt: at('given_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.sha256] }), index('run_files_kind').on(table.runId, table.kind, table.givenAt), index('run_files_sha256').on(table.sha256)],
);

/** Files that tools wrote and runs took. */
export const artefacts = sqliteTable(
  'artefacts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    runId: text('run_id').notNull(),
    entrySequence: integer('entry_sequence').notNull(),
    entryId: text('entry_id').notNull(),
    serverKey: text('server_key').notNull(),
    tool: text('tool').notNull(),
    output: text('output').notNull(),
    path: text('path').notNull(),
    name: text('name').notNull(),
    sha256: text('sha256').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    takenAt: at('taken_at').notNull(),
  },
  (table) => [index('artefacts_run').on(table.runId, table.id), index('artefacts_entry').on(table.entrySequence), index('artefacts_sha256').on(table.sha256)],
);

/**
 * What was handed to other servers, wholly or in part. Outlives the ledger's entries: what was ever sent to a host is
 * asked long after. Never deleted (by trigger).
 */
export const uploads = sqliteTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    runId: text('run_id').notNull(),
    serverKey: text('server_key').notNull(),
    host: text('host').notNull(),
    thisMachine: flag('this_machine').notNull(),
    sha256: text('sha256').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: FILE_KINDS }).notNull(),
    /** Of a tool's file: the tool that wrote it and the entry of the call. */
    origin: json('origin'),
    sizeBytes: integer('size_bytes').notNull(),
    bytesSent: integer('bytes_sent').notNull(),
    startedAt: at('started_at').notNull(),
    outcome: text('outcome', { enum: UPLOAD_OUTCOMES }).notNull(),
    words: text('words'),
    confirmedBy: text('confirmed_by').notNull(),
    ownerProcess: integer('owner_process').notNull(),
    ownerStartTicks: text('owner_start_ticks').notNull(),
  },
  (table) => [index('uploads_run').on(table.runId, table.startedAt), index('uploads_host').on(table.host, table.startedAt), index('uploads_started').on(table.startedAt), index('uploads_sha256').on(table.sha256)],
);

/** The calls that an upload was made of. */
export const uploadEntries = sqliteTable(
  'upload_entries',
  {
    uploadId: text('upload_id').notNull(),
    entrySequence: integer('entry_sequence').notNull(),
    entryId: text('entry_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.entrySequence] })],
);

/** Calls to servers marked external, and what their arguments told; kept like uploads. */
export const lookups = sqliteTable(
  'lookups',
  {
    entrySequence: integer('entry_sequence').primaryKey(),
    entryId: text('entry_id').notNull(),
    runId: text('run_id').notNull(),
    serverKey: text('server_key').notNull(),
    tool: text('tool').notNull(),
    host: text('host').notNull(),
    thisMachine: flag('this_machine').notNull(),
    bytes: integer('bytes').notNull(),
    indicators: json('indicators').notNull(),
    at: at('at').notNull(),
  },
  (table) => [index('lookups_run').on(table.runId, table.at), index('lookups_host').on(table.host, table.at), index('lookups_at').on(table.at)],
);

/** Why a run is less than it could have been; each reason once. */
export const runDegradations = sqliteTable(
  'run_degradations',
  {
    runId: text('run_id').notNull(),
    words: text('words').notNull(),
    entrySequence: integer('entry_sequence').notNull(),
    at: at('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.words] })],
);
