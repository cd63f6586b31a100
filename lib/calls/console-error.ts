import type { CallError, ConsoleErrorCode } from './outcome';
import { consoleRemedy, type RemedyFacts } from './remedies';

/** An answer of the console's own, in the shape of every error. */
export function toConsoleError(code: ConsoleErrorCode, message: string, facts: RemedyFacts, more: Partial<CallError> = {}): CallError {
  return {
    code,
    message,
    remediation: consoleRemedy(code, facts),
    remediationBy: 'console',
    httpStatus: null,
    details: null,
    rpcCode: null,
    readFromText: false,
    ...more,
  };
}
