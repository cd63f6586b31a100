import type { ResolvedServer } from '@/lib/servers';
import type { ConnectFailure } from '../..';

/** Answers to the handshake's POST after which the specification has a client look for the older transport. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/** Whether the handshake was refused in a way that says: not here, or not by POST. */
export const isElsewhere = ({ code, evidence }: ConnectFailure): boolean => code === 'not_an_mcp_endpoint' && STATUSES.has(evidence.httpStatus);

/**
 * Whether a server that failed over Streamable HTTP is tried over the older HTTP+SSE transport (product section 1): a
 * refusal that says so, or a stream that names its endpoint as that transport does; never a refusal of the account, a
 * server that failed, or a network that did.
 */
export const mayFallBack = (failure: ConnectFailure, { transport, era }: ResolvedServer): boolean =>
  transport.kind === 'http' && era !== 'modern' && (failure.code === 'legacy_transport' || isElsewhere(failure));

/** Both transports failed: the first failure leads, and the second can be read in it. */
export function toBothFailed(first: ConnectFailure, second: ConnectFailure): ConnectFailure {
  const hint = isElsewhere(second) ? '' : ` For the older transport: ${second.remediation}`;
  return {
    ...first,
    message: `${first.message} The older HTTP+SSE transport was tried as well: ${second.message}`,
    remediation: `${first.remediation}${hint}`,
    evidence: { detail: second.message, ...first.evidence },
  };
}
