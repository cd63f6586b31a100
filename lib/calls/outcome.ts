/** How a call stands or ended (product section 6.3). */
export const OUTCOMES = [
  'requested', 'awaiting_approval', 'queued', 'sent',
  'ok', 'tool_error', 'protocol_error', 'timeout', 'cancelled', 'unknown', 'interrupted', 'not_sent',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const OPEN: ReadonlySet<Outcome> = new Set(['requested', 'awaiting_approval', 'queued', 'sent']);

/** Whether the call has ended. */
export const isFinal = (outcome: Outcome): boolean => !OPEN.has(outcome);

const MAY_HAVE_HAPPENED: ReadonlySet<Outcome> = new Set(['timeout', 'cancelled', 'unknown', 'interrupted']);

/** Whether a call that ended so may have been carried out although no answer came. */
export const mayHaveHappened = (outcome: Outcome, sentAt: number | null): boolean =>
  sentAt !== null && MAY_HAVE_HAPPENED.has(outcome);

/** The codes of answers that the console gives itself (product section 5). */
const CONSOLE_ERROR_CODES = [
  'server_resting', 'not_connected', 'denied', 'not_approved', 'not_exposed', 'tool_changed',
  'unavailable_here', 'path_outside_job', 'timeout', 'cancelled', 'interrupted', 'connection_lost',
  'outcome_unknown', 'result_too_large', 'protocol_error', 'budget_spent', 'no_such_tool', 'bad_argument',
] as const;
export type ConsoleErrorCode = (typeof CONSOLE_ERROR_CODES)[number];

/** The codes that tools share, beside those of the console. */
const TOOL_ERROR_CODES = ['missing_dependency', 'no_such_file', 'unsupported_format', 'not_configured', 'tool_failed'] as const;

const KNOWN_CODES: ReadonlySet<string> = new Set([...CONSOLE_ERROR_CODES, ...TOOL_ERROR_CODES]);

/** Whether a code is one that the product names; any other is a server's own text. */
export const isKnownErrorCode = (code: string): boolean => KNOWN_CODES.has(code);

/** Every error of every source in one shape. `code` is open: a server's own code is kept as written. */
export interface CallError {
  readonly code: string;
  readonly message: string;
  readonly remediation: string | null;
  readonly remediationBy: 'server' | 'console';
  readonly httpStatus: number | null;
  readonly details: unknown;
  /** The JSON-RPC error code, where the error was one. */
  readonly rpcCode: number | null;
  /** Read out of a text block rather than stated by the protocol. */
  readonly readFromText: boolean;
}
