import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { pins } from '@/db/schema';
import type { ServerKey } from '@/lib/servers';
import { pinOf, toPinDefinition, type ListedTool } from '..';

/** A tool as it was when a person reviewed its server. */
export interface Pin {
  readonly tool: string;
  readonly hash: string;
  readonly definition: unknown;
  readonly reviewedAt: number;
  readonly reviewedBy: string;
}

/** The fingerprint of a tool's name, description, schemas and annotations: SHA-256, hex. */
export const hashPin = (tool: ListedTool): string => createHash('sha256').update(pinOf(tool)).digest('hex');

/** The fingerprints that reviews took (product section 9). */
export class PinStore {
  constructor(private readonly database: Database) {}

  list(key: ServerKey): readonly Pin[] {
    return this.database.orm.select().from(pins).where(eq(pins.serverKey, key)).orderBy(pins.tool).all();
  }

  /** Replaces the server's pins; call it inside the transaction of the review. */
  take(key: ServerKey, tools: readonly ListedTool[], reviewedBy: string, reviewedAt: number): void {
    this.database.orm.delete(pins).where(eq(pins.serverKey, key)).run();
    for (const tool of tools) {
      const pin = { tool: tool.name, hash: hashPin(tool), definition: toPinDefinition(tool), reviewedAt, reviewedBy };
      this.database.orm.insert(pins).values({ serverKey: key, ...pin }).run();
    }
  }
}
