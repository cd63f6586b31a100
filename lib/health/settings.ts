import { z } from 'zod';

/** How servers are watched; kept in the data directory, changed by an admin on the health page. */
export const healthSettingsSchema = z.object({
  /** Between two checks of a server, in seconds; each waits up to a fifth more or less. */
  interval_s: z.int('Write a whole number of seconds.').min(5, 'At least 5 seconds.').max(86_400, 'At most a day: 86400 seconds.'),
  /** Whether a check starts a stdio server that was closed because nobody used it. */
  wake_idle: z.boolean(),
  /** How long changes of state are kept, in days. */
  keep_days: z.int('Write a whole number of days.').min(1, 'At least 1 day.').max(3650, 'At most 3650 days.'),
  /** Whether changes of state are posted to the address in the vault. */
  webhook: z.boolean(),
});
export type HealthSettings = z.infer<typeof healthSettingsSchema>;

export const DEFAULT_HEALTH_SETTINGS: HealthSettings = { interval_s: 60, wake_idle: false, keep_days: 90, webhook: false };
