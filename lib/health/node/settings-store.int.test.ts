import { expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import { AuditLog } from '@/lib/audit/node';
import { systemClock } from '@/lib/core';
import { DEFAULT_HEALTH_SETTINGS } from '..';
import { HealthSettingsStore } from './settings-store';

it('keeps what an admin set, with its audit event, and completes what is missing or wrong by the defaults', () => {
  const database = openTestDatabase();
  const audit = new AuditLog({ database, clock: systemClock });
  const store = new HealthSettingsStore({ database, audit });
  expect(store.read()).toEqual(DEFAULT_HEALTH_SETTINGS);
  store.save({ ...DEFAULT_HEALTH_SETTINGS, interval_s: 15 }, { kind: 'person', name: 'ana@example.org' });
  expect(store.read()).toEqual({ ...DEFAULT_HEALTH_SETTINGS, interval_s: 15 });
  expect(audit.list({ before: null, limit: 9 }).records).toMatchObject([{ type: 'health.settings_saved', actorName: 'ana@example.org' }]);
  database.sqlite.prepare(`UPDATE settings SET value = '{"interval_s": -1}' WHERE name = 'health'`).run();
  expect(store.read()).toEqual(DEFAULT_HEALTH_SETTINGS);
  database.close();
});
