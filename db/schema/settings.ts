import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { at, json } from './columns';

export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  value: json('value').notNull(),
  changedAt: at('changed_at').notNull(),
});

/** Every change to servers, people, permissions and secrets, and every test and start of a command; without values. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    at: at('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorName: text('actor_name').notNull(),
    /** A past fact, `server.saved`. */
    type: text('type').notNull(),
    subject: text('subject').notNull(),
    details: json('details').notNull(),
  },
  (table) => [index('audit_events_subject').on(table.subject, table.sequence)],
);

export const vaultSecrets = sqliteTable('vault_secrets', {
  name: text('name').primaryKey(),
  /** AES-256-GCM: nonce, tag and ciphertext, base64. */
  sealed: text('sealed').notNull(),
  changedAt: at('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});
