import type { ConnectFailure, ServerState } from '@/lib/pool';
import type { ServerKey } from '@/lib/servers';

interface Silence {
  /** The connection that is silent; another one is not. */
  readonly connectedAt: number;
  readonly failure: ConnectFailure;
  readonly since: number;
  readonly checkedAt: number;
  readonly checks: number;
  readonly nextCheckAt: number;
}

export type SilentState = Extract<ServerState, { readonly name: 'failing' }>;

/** Servers whose connection stands and that did not answer a check: they fail, until they answer something. */
export class Silences {
  private readonly byKey = new Map<ServerKey, Silence>();

  /** The state of a server whose connection of that moment did not answer; null where it did. */
  find(key: ServerKey, connectedAt: number): SilentState | null {
    const silence = this.byKey.get(key);
    if (silence?.connectedAt !== connectedAt) return null;
    return { name: 'failing', failure: silence.failure, since: silence.since, attempt: silence.checks, nextTryAt: silence.nextCheckAt };
  }

  note(key: ServerKey, connectedAt: number, silent: Pick<Silence, 'failure' | 'nextCheckAt'> & { readonly sentAt: number; readonly now: number }): void {
    const before = this.byKey.get(key);
    const goesOn = before?.connectedAt === connectedAt;
    this.byKey.set(key, {
      connectedAt,
      failure: silent.failure,
      since: goesOn ? before.since : silent.sentAt,
      checkedAt: silent.now,
      checks: goesOn ? before.checks + 1 : 1,
      nextCheckAt: silent.nextCheckAt,
    });
  }

  /** The server answered something that was finished at a moment. @returns whether it had been silent until then */
  end(key: ServerKey, answeredAt: number): boolean {
    const silence = this.byKey.get(key);
    return silence !== undefined && answeredAt >= silence.checkedAt && this.byKey.delete(key);
  }

  forget(key: ServerKey): void {
    this.byKey.delete(key);
  }
}

/** Why a server fails that was asked and said nothing. */
export const toSilentFailure = (server: string, waitedMs: number): ConnectFailure => ({
  stage: 'negotiate',
  code: 'never_answers',
  message: `${server} is connected and did not answer a check within ${waitedMs / 1000} s, with no call under way.`,
  remediation: 'Look at its log; if it stays silent, restart it.',
  evidence: {},
});
