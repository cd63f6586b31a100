import type { ConnectFailureCode, Stage } from '..';

/** For tests: refusals that every transport to a remote server tells alike; modes of all hand-made servers. */
export const REFUSALS: readonly (readonly [mode: string, code: ConnectFailureCode, stage: Stage])[] = [
  ['html200', 'not_an_mcp_endpoint', 'http'],
  ['json200', 'not_an_mcp_endpoint', 'http'],
  ['html404', 'not_an_mcp_endpoint', 'http'],
  ['unauthorized', 'unauthorized', 'auth'],
  ['forbidden', 'forbidden', 'auth'],
  ['insufficientScope', 'forbidden', 'auth'],
  ['notAcceptable', 'not_acceptable', 'http'],
  ['tooManyRequests', 'too_many_requests', 'http'],
  ['html500', 'server_error', 'http'],
  ['badGateway', 'server_error', 'http'],
  ['proxyAuthentication', 'proxy_in_the_way', 'http'],
  ['resets', 'connection_reset', 'http'],
  ['badVersion', 'no_shared_revision', 'negotiate'],
];
