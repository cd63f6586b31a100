/** The codes that product section 5 knows, `path_outside_job` with them; a tool may use a code of its own. */
export type ToolErrorCode =
  | 'missing_dependency'
  | 'timeout'
  | 'bad_argument'
  | 'no_such_file'
  | 'unsupported_format'
  | 'not_configured'
  | 'tool_failed'
  | 'path_outside_job'
  | 'cancelled'
  // An author's own code is kept as written; the intersection keeps the known ones in completion lists.
  | (string & {});

/** What a tool answers when it cannot answer: always with something that somebody can do about it, where there is. */
export interface ToolError {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly remediation: string | null;
}

/** Thrown by a handler to end its call with an error of its choosing; anything else thrown is `tool_failed`. */
export class ToolFailure extends Error {
  readonly error: ToolError;

  constructor(code: ToolErrorCode, message: string, remediation: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolFailure';
    this.error = { code, message, remediation };
  }
}

/** Whatever a handler threw, as an error that a caller can read. */
export function toToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolFailure) return thrown.error;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'tool_failed', message: message === '' ? 'The tool failed without saying why.' : message, remediation: null };
}
