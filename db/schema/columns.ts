import { integer, text } from 'drizzle-orm/sqlite-core';

/** Integer milliseconds since 1970, UTC. */
export const at = (name: string) => integer(name);

export const flag = (name: string) => integer(name, { mode: 'boolean' });

/** A JSON document; the reader parses it, so its type is what the writer promises, not what is trusted. */
export const json = (name: string) => text(name, { mode: 'json' }).$type<unknown>();
