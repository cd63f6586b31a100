import { REDACTED } from '@/lib/core';
import type { ConnectFailure } from '@/lib/pool';

/** The address that a server redirects to, where it is one that can be stored; null where the failure names none. */
export function findRedirectAddress(failure: Pick<ConnectFailure, 'code' | 'evidence'> | null): string | null {
  const location = failure?.code === 'redirected' ? failure.evidence.headers?.['location'] : undefined;
  // What was scrubbed is no address any more.
  if (location === undefined || location.includes(REDACTED) || !URL.canParse(location)) return null;
  const { protocol, username, password } = new URL(location);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? location : null;
}
