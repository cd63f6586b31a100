import type { AuditWriter } from '@/lib/audit/node';
import type { Runtime } from '@/lib/boot';
import { AppError, assertNever, formatDuration } from '@/lib/core';
import type { ServerKey } from '@/lib/servers';
import { requireServer } from './server-view';

/** What can be done about the calls to a server: stop them for a while, try one, or let all go. */
export type RestChange =
  | { readonly kind: 'rest'; readonly forMs: number }
  | { readonly kind: 'let_one_through' }
  | { readonly kind: 'resume' };

const FACTS = { rest: 'server.rested', let_one_through: 'server.tried', resume: 'server.resumed' } as const;

/**
 * Changes the rest of servers, on record: the one way for their cards, their pages and the health page. Servers that share
 * a configuration share its rest.
 * @param actorName who asks, for the reason that is shown with a rest
 * @returns the keys of those where it changed something: one that does not rest cannot be resumed
 * @throws AppError `not_found`, `conflict` where the configuration of one cannot be used as it stands
 */
export function changeRests(runtime: Runtime, keys: readonly string[], change: RestChange, actorName: string, audit: AuditWriter): string[] {
  const servers = keys.map((key) => requireServer(runtime, key)).map(({ entry: { key } }) => ({ key, fingerprint: requireFingerprint(runtime, key) }));
  return runtime.db.sqlite
    .transaction(() =>
      servers.flatMap(({ key, fingerprint }): string[] => {
        if (!apply(runtime, fingerprint, change, actorName)) return [];
        audit.record({ type: FACTS[change.kind], subject: `server:${key}`, details: change.kind === 'rest' ? { for_ms: change.forMs } : {} });
        return [key];
      }),
    )
    .immediate();
}

function requireFingerprint(runtime: Runtime, key: ServerKey): string {
  const fingerprint = runtime.fingerprintOf(key);
  if (fingerprint !== null) return fingerprint;
  throw new AppError({ code: 'conflict', message: 'Its configuration cannot be used as it stands, so no call is made to it.', remedy: 'Mend its settings.' });
}

function apply({ guards, clock }: Runtime, fingerprint: string, change: RestChange, actorName: string): boolean {
  switch (change.kind) {
    case 'rest':
      guards.rest(fingerprint, `${actorName} lets it rest for ${formatDuration(change.forMs)}.`, clock.now() + change.forMs);
      return true;
    case 'let_one_through':
      return guards.letOneThrough(fingerprint);
    case 'resume':
      return guards.resume(fingerprint);
    default:
      return assertNever(change);
  }
}
