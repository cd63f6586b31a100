import { ProtocolError, UnsupportedProtocolVersionError } from '@modelcontextprotocol/client';
import { isObject } from '@/lib/core';
import { explainFailure, isAboutRevisions, type ConnectFailure } from '../..';
import type { RecordingTransport } from '../seam/recording';
import { WireRefusal } from '../transports/transport';

const INVALID_PARAMS = -32_602;
const UNSUPPORTED_VERSION = -32_022;

/** Why a handshake failed: what the wire showed comes before what the library made of it. */
export function toSetUpFailure(error: unknown, seam: RecordingTransport, server: string): ConnectFailure {
  const seen = seam.inner.ending ?? seam.handshake.fault ?? (error instanceof WireRefusal ? error.failure : seam.inner.lastRefusal?.failure);
  if (seen && seam.handshake.isInitialized && seen.code === 'not_an_mcp_endpoint') {
    const said = `it answered initialize and then refused notifications/initialized (HTTP ${seen.evidence.httpStatus ?? 'unknown'})`;
    return explainFailure('protocol_error', { stage: 'negotiate', server, said, evidence: seen.evidence });
  }
  if (seen) return seen;
  const message = error instanceof Error ? error.message : String(error);
  const facts = { stage: 'negotiate', server, evidence: { detail: message.slice(0, 2_000) } } as const;
  if (isAboutVersions(error)) {
    const versions = toVersions(error);
    const evidence = { ...facts.evidence, body: versions ?? message };
    return explainFailure('no_shared_revision', { ...facts, said: versions ?? message, evidence });
  }
  if (error instanceof ProtocolError) {
    return explainFailure('protocol_error', { ...facts, said: `it refused the handshake with error ${error.code}, ${error.message}` });
  }
  return explainFailure('protocol_error', { ...facts, said: `its answer to the handshake cannot be read, ${firstLine(message)}` });
}

function isAboutVersions(error: unknown): boolean {
  if (error instanceof UnsupportedProtocolVersionError) return true;
  if (error instanceof ProtocolError) {
    return error.code === UNSUPPORTED_VERSION || (error.code === INVALID_PARAMS && /version/i.test(error.message)) || isAboutRevisions(error.message);
  }
  return error instanceof Error && /protocol version|pinned|modern evidence|no pre-2026/i.test(error.message);
}

/** The revisions that the server named, where it did. */
function toVersions(error: unknown): string | null {
  const data = error instanceof ProtocolError && isObject(error.data) ? error.data.supported : null;
  return Array.isArray(data) ? `it speaks ${data.filter((version) => typeof version === 'string').join(', ')}` : null;
}

const firstLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);
