import type { DeliveryView, HealthSettings } from '@/lib/health';
import type { Action } from '../servers/action';

/** What can be done to servers from the health page. */
export const HEALTH_ACTS = ['test', 'restart', 'rest', 'resume', 'disable', 'enable'] as const;
export type HealthAct = (typeof HEALTH_ACTS)[number];

/** What became of one server: told for each, whatever became of the others. */
export interface ActResult {
  readonly key: string;
  readonly ok: boolean;
  readonly message: string;
  readonly remedy: string | null;
  /** The test that was begun, to follow. */
  readonly testId: string | null;
}

export type ActOnServers = Action<{ keys: readonly string[]; act: HealthAct; restMinutes: number }, { results: readonly ActResult[] }>;

/** What an admin can change about how servers are watched. */
export interface WatchActions {
  readonly saveSettings: Action<HealthSettings, HealthSettings>;
  readonly saveAddress: Action<{ address: string }, null>;
  readonly clearAddress: Action<Record<never, never>, null>;
  readonly testAddress: Action<Record<never, never>, DeliveryView>;
}
