import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { at, flag, json } from './columns';

/** The configured servers. The row outlives nothing: what happened to a server keeps its key, not a reference. */
export const servers = sqliteTable('servers', {
  key: text('key').primaryKey(),
  entry: json('entry').notNull(),
  revision: integer('revision').notNull(),
  bundled: flag('bundled').notNull().default(false),
  reviewedAt: at('reviewed_at'),
  createdAt: at('created_at').notNull(),
  savedAt: at('saved_at').notNull(),
});

/** What a server offered when it was last read. */
export const serverSnapshots = sqliteTable('server_snapshots', {
  serverKey: text('server_key').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  snapshot: json('snapshot').notNull(),
  readAt: at('read_at').notNull(),
});

export const connectionTests = sqliteTable(
  'connection_tests',
  {
    id: text('id').primaryKey(),
    serverKey: text('server_key').notNull(),
    /** Of the configuration that was tested: another one drops the verdict shown. */
    fingerprint: text('fingerprint').notNull(),
    startedAt: at('started_at').notNull(),
    ok: flag('ok').notNull(),
    latencyMs: integer('latency_ms'),
    result: json('result').notNull(),
  },
  (table) => [index('connection_tests_server').on(table.serverKey, table.startedAt)],
);

/** The era that a probe found, and the transport that was fallen back to, kept so that later starts are single (product section 2.1). */
export const eraVerdicts = sqliteTable('era_verdicts', {
  fingerprint: text('fingerprint').primaryKey(),
  era: text('era', { enum: ['legacy', 'modern'] }).notNull(),
  /** Null where the server speaks the transport that its entry names. */
  transport: text('transport', { enum: ['sse'] }),
  /** Why it is not spoken, as the server put it when that was found. */
  refusal: text('refusal'),
  decidedAt: at('decided_at').notNull(),
});

/** A tool as it was when a person reviewed the server. */
export const pins = sqliteTable(
  'pins',
  {
    serverKey: text('server_key').notNull(),
    tool: text('tool').notNull(),
    hash: text('hash').notNull(),
    definition: json('definition').notNull(),
    reviewedAt: at('reviewed_at').notNull(),
    reviewedBy: text('reviewed_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverKey, table.tool] })],
);

/** A name once given stays with its tool (product section 9). */
export const exposedNames = sqliteTable(
  'exposed_names',
  {
    serverKey: text('server_key').notNull(),
    tool: text('tool').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverKey, table.tool] }), uniqueIndex('exposed_names_name').on(table.name)],
);

/** Children that were started, so that the next start can end what a crash left. */
export const childProcesses = sqliteTable('child_processes', {
  /** The marker in the child's environment. */
  marker: text('marker').primaryKey(),
  serverKey: text('server_key').notNull(),
  processGroup: integer('process_group').notNull(),
  /** Start time of the child in the kernel's ticks since boot: a number alone may be reused. */
  startTicks: text('start_ticks').notNull(),
  ownerProcess: integer('owner_process').notNull(),
  ownerStartTicks: text('owner_start_ticks').notNull(),
  startedAt: at('started_at').notNull(),
});

/** Rests and failure counts of the guard, by resolved configuration. */
export const guards = sqliteTable('guards', {
  fingerprint: text('fingerprint').primaryKey(),
  state: json('state').notNull(),
  changedAt: at('changed_at').notNull(),
});
