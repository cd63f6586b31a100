import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { VERDICT_SOURCES } from '@/lib/health';
import { SERVER_STATES } from '@/lib/pool';
import { at, flag } from './columns';

/** How servers stood: each change of state, and a sample for each check and test. */
export const healthVerdicts = sqliteTable(
  'health_verdicts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    serverKey: text('server_key').notNull(),
    at: at('at').notNull(),
    source: text('source', { enum: VERDICT_SOURCES }).notNull(),
    state: text('state', { enum: SERVER_STATES }).notNull(),
    ok: flag('ok'),
    latencyMs: integer('latency_ms'),
    code: text('code'),
    message: text('message'),
    remediation: text('remediation'),
    /** The state is another than that of the verdict before. */
    isChange: flag('is_change').notNull(),
  },
  (table) => [
    // With all that the plots are made of, so that a day of every server is read from the index alone.
    index('health_verdicts_at').on(table.at, table.serverKey, table.ok, table.latencyMs),
    index('health_verdicts_changes').on(table.serverKey, table.id).where(sql`is_change = 1`),
    index('health_verdicts_failures').on(table.serverKey, table.id).where(sql`code IS NOT NULL`),
    index('health_verdicts_asked').on(table.serverKey, table.id).where(sql`ok IS NOT NULL`),
  ],
);

/** The changes of state that people are told of. */
export const stateChanges = sqliteTable(
  'state_changes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    serverKey: text('server_key').notNull(),
    at: at('at').notNull(),
    from: text('from_state', { enum: SERVER_STATES }),
    to: text('to_state', { enum: SERVER_STATES }).notNull(),
    code: text('code'),
    message: text('message'),
    remediation: text('remediation'),
  },
  (table) => [index('state_changes_server').on(table.serverKey, table.id), index('state_changes_at').on(table.at)],
);

/** Which changes a person has read in the inbox. */
export const inboxReads = sqliteTable(
  'inbox_reads',
  {
    person: text('person').notNull(),
    changeId: integer('change_id').notNull(),
    readAt: at('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.person, table.changeId] })],
);

/** How the posts of changes went; never the address that they went to. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: at('at').notNull(),
    /** null for a post that somebody made to try the address. */
    changeId: integer('change_id'),
    ok: flag('ok').notNull(),
    attempts: integer('attempts').notNull(),
    message: text('message').notNull(),
  },
  (table) => [index('webhook_deliveries_at').on(table.at)],
);
