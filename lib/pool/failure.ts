/** The stages of setting up a connection and of its test (product section 3), in order. */
export const STAGES = [
  'config', 'resolve', 'spawn', 'connect', 'http', 'auth', 'negotiate', 'list', 'capabilities',
] as const;
export type Stage = (typeof STAGES)[number];

/** The kinds of failure that must be told apart, each with its own remedy (product section 3). */
export const CONNECT_FAILURE_CODES = [
  'config_invalid', 'variable_unresolved',
  'program_missing', 'not_executable', 'cwd_missing', 'wrong_architecture', 'spawn_failed',
  'exited_at_once', 'exited', 'never_answers', 'not_reading', 'output_closed', 'endless_line', 'not_utf8', 'stdout_noise',
  'host_unknown', 'refused', 'timed_out', 'connection_reset', 'address_not_allowed',
  'tls_untrusted', 'tls_expired', 'tls_not_yet_valid', 'tls_wrong_name', 'tls_failed', 'tls_client_certificate', 'tls_client_key', 'proxy_in_the_way',
  'not_an_mcp_endpoint', 'redirected', 'unauthorized', 'forbidden', 'not_acceptable', 'too_many_requests', 'server_error',
  'legacy_transport', 'endpoint_elsewhere', 'subprotocol_refused', 'closed_by_server', 'closed_for_policy', 'no_shared_revision', 'protocol_error', 'list_hangs', 'list_failed', 'session_lost',
  'disabled', 'cancelled', 'internal',
] as const;
export type ConnectFailureCode = (typeof CONNECT_FAILURE_CODES)[number];

/** What was seen, as it was; scrubbed of secrets, bounded. */
export interface Evidence {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly stderr?: readonly string[];
  /** Lines on stdout that were no protocol messages. */
  readonly stdout?: readonly string[];
  readonly httpStatus?: number;
  /** Of a WebSocket: the code that it was closed with, 1006 where it broke off without one; and the server's reason. */
  readonly closeCode?: number;
  readonly closeReason?: string;
  /** The first part of the answer's body. */
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly validFrom?: string; readonly validTo: string };
  /** The error of the system or the library, in its words. */
  readonly detail?: string;
  readonly path?: string;
}

/** Why a connection could not be set up, or ended: what happened, to what, and what to do. */
export interface ConnectFailure {
  readonly stage: Stage;
  readonly code: ConnectFailureCode;
  readonly message: string;
  readonly remediation: string;
  readonly evidence: Evidence;
  /** How long the server asks to be left alone, ms; absent where it named no time. */
  readonly retryAfterMs?: number;
}
