import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { settings } from '@/db/schema';
import type { AuditLog } from '@/lib/audit/node';
import type { Actor } from '@/lib/auth';
import { systemClock, type Clock } from '@/lib/core';
import { DEFAULT_HEALTH_SETTINGS, healthSettingsSchema, type HealthSettings } from '..';

const NAME = 'health';

interface HealthSettingsOptions {
  readonly database: Database;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock?: Clock;
}

/** How servers are watched, as an admin set it. */
export class HealthSettingsStore {
  constructor(private readonly options: HealthSettingsOptions) {}

  /** What is kept, or the defaults; what an older version kept is completed by them. */
  read(): HealthSettings {
    const row = this.options.database.orm.select({ value: settings.value }).from(settings).where(eq(settings.name, NAME)).get();
    return { ...DEFAULT_HEALTH_SETTINGS, ...healthSettingsSchema.partial().catch({}).parse(row?.value ?? {}) };
  }

  save(value: HealthSettings, actor: Actor): void {
    const { database, audit, clock = systemClock } = this.options;
    const row = { value, changedAt: clock.now() };
    database.orm.transaction(() => {
      database.orm.insert(settings).values({ name: NAME, ...row }).onConflictDoUpdate({ target: settings.name, set: row }).run();
      audit.record(actor, { type: 'health.settings_saved', subject: 'health', details: { ...value } });
    });
  }
}
