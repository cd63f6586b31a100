import type { ResolvedServer } from '@/lib/servers';
import { explainFailure, type ConnectFailure, type ConnectFailureCode } from '../..';
import { findAuthorizationServer } from '../transports/find-authorization-server';
import { speaksLegacySse } from '../transports/legacy-sse';
import { readCertificate } from '../transports/read-certificate';

type Remote = Exclude<ResolvedServer['transport'], { kind: 'stdio' }>;

/** Answers to a POST after which the specification has a client look for the older transport. */
const MAY_BE_LEGACY: ReadonlySet<number | undefined> = new Set([400, 404, 405]);
const ABOUT_CERTIFICATES: ReadonlySet<ConnectFailureCode> = new Set(['tls_untrusted', 'tls_expired', 'tls_not_yet_valid', 'tls_wrong_name']);

/** What a closer look at a server that could not be connected tells: each kind of failure has its own. */
export async function refineRemote(failure: ConnectFailure, { key, era }: ResolvedServer, remote: Remote, signal: AbortSignal): Promise<ConnectFailure> {
  const { code, stage, evidence } = failure;
  const { url } = remote;
  const subject = { stage, server: key, address: `${url.origin}${url.pathname}` };
  // In the other eras the older transport was tried.
  const mayBeLegacy = remote.kind === 'http' && era === 'modern' && code === 'not_an_mcp_endpoint' && MAY_BE_LEGACY.has(evidence.httpStatus);
  if (mayBeLegacy && (await speaksLegacySse(remote, signal))) {
    return explainFailure('legacy_transport', { ...subject, evidence });
  }
  if (code === 'unauthorized') {
    const challenge = evidence.headers?.['www-authenticate'] ?? '';
    const authorizationServer = await findAuthorizationServer({ ...remote, url: toHttpUrl(url) }, challenge, signal);
    if (authorizationServer !== undefined) return { ...failure, remediation: explainFailure(code, { ...subject, authorizationServer }).remediation };
  }
  // Through a proxy the certificate may be the proxy's own, which a connection past it would not show.
  if (ABOUT_CERTIFICATES.has(code) && evidence.certificate === undefined && remote.proxy === null) {
    const seen = { ...evidence, ...(await readCertificate(url, signal)) };
    return code === 'tls_not_yet_valid' ? explainFailure(code, { ...subject, said: evidence.detail, evidence: seen }) : { ...failure, evidence: seen };
  }
  return failure;
}

/** The same place over HTTP, where the documents of a WebSocket's server are. */
const toHttpUrl = (url: URL): URL => new URL(url.href.replace(/^ws/, 'http'));
