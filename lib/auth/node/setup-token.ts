import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { settings } from '@/db/schema';
import type { Clock } from '@/lib/core';

const SETTING = 'setup_token';
const storedSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** The token of the one-time link that lets the first person in. Only its hash is kept. */
export class SetupToken {
  constructor(private readonly options: { readonly database: Database; readonly clock: Clock }) {}

  /** A new token; the one before it is worth nothing from now on. */
  renew(): string {
    const token = randomBytes(24).toString('base64url');
    const change = { value: { sha256: digest(token).toString('hex') }, changedAt: this.options.clock.now() };
    this.options.database.orm
      .insert(settings)
      .values({ name: SETTING, ...change })
      .onConflictDoUpdate({ target: settings.name, set: change })
      .run();
    return token;
  }

  isCurrent(token: string): boolean {
    const row = this.options.database.orm.select().from(settings).where(eq(settings.name, SETTING)).get();
    const stored = storedSchema.safeParse(row?.value);
    return stored.success && timingSafeEqual(digest(token), Buffer.from(stored.data.sha256, 'hex'));
  }

  /** Call it inside the transaction that makes the first person. */
  discard(): void {
    this.options.database.orm.delete(settings).where(eq(settings.name, SETTING)).run();
  }
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
