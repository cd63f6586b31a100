import type { FieldError, JsonObject } from '@/lib/core';
import { describeTools, type CapabilityManifest } from '@/lib/manifests';
import type { ConnectFailure, Evidence, ServerStateName, Stage } from '@/lib/pool';
import type { Era, ServerEntry, TransportKind } from '@/lib/servers';
import type { ConnectionTestResult } from './test-result';
import { toCheckTool, type CheckTool } from './tool-json';

/** An element of `servers` in `check --json`, and the document of `test --json` (product section 13). */
export interface CheckServer {
  readonly key: string;
  readonly enabled: boolean;
  /** null for a server that was not connected because it is disabled. */
  readonly ok: boolean | null;
  readonly state: ServerStateName;
  /** null where the entry of a file does not say enough to tell. */
  readonly transport: TransportKind | null;
  readonly era: Era | null;
  readonly protocol_version: string | null;
  readonly server_info: { readonly name: string; readonly version: string; readonly title?: string } | null;
  readonly instructions: string | null;
  /** Well-formed tools, plumbing included. */
  readonly tool_count: number;
  readonly tools: readonly CheckTool[];
  readonly manifest: JsonObject | null;
  readonly stray_lines: { readonly count: number; readonly first: string | null };
  readonly warnings: readonly string[];
  readonly stages: readonly CheckStage[];
  readonly error: CheckError | null;
  readonly latency_ms: number | null;
}

export interface CheckStage {
  readonly stage: Stage;
  readonly ok: boolean;
  readonly ms: number;
  readonly detail: string;
}

export interface CheckError {
  readonly stage: Stage;
  readonly code: string;
  readonly message: string;
  readonly remediation: string | null;
  readonly evidence: EvidenceJson;
}

export interface EvidenceJson {
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  readonly stderr?: readonly string[];
  readonly stdout?: readonly string[];
  readonly http_status?: number;
  readonly close_code?: number;
  readonly close_reason?: string;
  readonly body?: string;
  readonly content_type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly valid_from?: string; readonly valid_to: string };
  readonly detail?: string;
  readonly path?: string;
}

interface CheckedServer {
  readonly entry: ServerEntry;
  /** null for a server that nobody tried. */
  readonly result: ConnectionTestResult | null;
  readonly exposedNameOf: (tool: string) => string;
  /** Whether the guard rests it: a test is not refused, its calls are. */
  readonly rests?: boolean;
}

/** What one server's test says on the command line. */
export function toCheckServer({ entry, result, exposedNameOf, rests = false }: CheckedServer): CheckServer {
  const snapshot = result?.snapshot ?? null;
  const views = snapshot === null ? [] : describeTools({ entry, toolList: snapshot.toolList, manifest: snapshot.manifest, exposedNameOf });
  return {
    key: entry.key,
    enabled: entry.enabled,
    ok: result === null ? null : result.ok,
    state: stateOf(entry, result, rests),
    transport: result?.facts?.transport ?? entry.transport,
    era: result?.facts?.era ?? null,
    protocol_version: result?.facts?.protocolVersion ?? null,
    server_info: result?.facts?.serverInfo ?? null,
    instructions: result?.facts?.instructions ?? null,
    tool_count: snapshot?.toolList.tools.length ?? 0,
    tools: views.map(toCheckTool),
    manifest: snapshot?.manifest ? toManifestJson(snapshot.manifest) : null,
    stray_lines: result?.strayLines ?? { count: 0, first: null },
    warnings: result?.warnings ?? [],
    stages: (result?.stages ?? []).map(({ stage, outcome, ms, detail }) => ({ stage, ok: outcome !== 'failed', ms, detail })),
    error: result?.failure ? toCheckError(result.failure) : null,
    latency_ms: result?.latencyMs ?? null,
  };
}

/** What the command line says of an entry of a file that is no server as it is written. */
export function toBrokenCheckServer(key: string, errors: readonly FieldError[]): CheckServer {
  const message = errors.map(({ field, message: fault }) => (field === '' ? fault : `${field}: ${fault}`)).join(' ');
  return {
    key, enabled: true, ok: false, state: 'failing', transport: null, era: null, protocol_version: null, server_info: null,
    instructions: null, tool_count: 0, tools: [], manifest: null, stray_lines: { count: 0, first: null }, warnings: [],
    stages: [{ stage: 'config', ok: false, ms: 0, detail: message }],
    error: {
      stage: 'config', code: 'config_invalid', message: `The entry of "${key}" cannot be used. ${message}`,
      remediation: 'Correct the named fields in the file.', evidence: {},
    },
    latency_ms: null,
  };
}

function stateOf(entry: ServerEntry, result: ConnectionTestResult | null, rests: boolean): ServerStateName {
  if (!entry.enabled) return 'disabled';
  if (rests) return 'resting';
  if (result === null) return 'untested';
  if (result.ok) return 'connected';
  return result.failure?.code === 'unauthorized' ? 'sign_in_needed' : 'failing';
}

const toCheckError = ({ stage, code, message, remediation, evidence }: ConnectFailure): CheckError => ({
  stage,
  code,
  message,
  remediation,
  evidence: toEvidenceJson(evidence),
});

/** The evidence in the spelling of the command line; what was not seen is left out. */
function toEvidenceJson(evidence: Evidence): EvidenceJson {
  const { exitCode, httpStatus, closeCode, closeReason, contentType, certificate, ...same } = evidence;
  return {
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(httpStatus === undefined ? {} : { http_status: httpStatus }),
    ...(closeCode === undefined ? {} : { close_code: closeCode }),
    ...(closeReason === undefined ? {} : { close_reason: closeReason }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(certificate === undefined
      ? {}
      : { certificate: toCertificateJson(certificate) }),
    ...same,
  };
}

const toCertificateJson = ({ subject, issuer, validFrom, validTo }: NonNullable<Evidence['certificate']>): NonNullable<EvidenceJson['certificate']> => ({
  subject, issuer, ...(validFrom !== undefined && { valid_from: validFrom }), valid_to: validTo,
});

/** The manifest in the form of product section 4, made whole. */
const toManifestJson = ({ server, version, external, tools }: CapabilityManifest): JsonObject => ({
  server,
  version,
  external,
  tools: tools.map((tool) => ({
    name: tool.name,
    optional_dependency: tool.optionalDependency,
    available: tool.available,
    reason: tool.reason,
    timeout_s: tool.timeoutS,
    remediation: tool.remediation,
    without: tool.without,
    long_running: tool.longRunning,
    verify_with: tool.verifyWith,
  })),
});
