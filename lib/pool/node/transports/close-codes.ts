import { toVisibleText } from '@/lib/core';
import { explainFailure, type ConnectFailure, type ConnectFailureCode } from '../..';

interface Subject {
  readonly server: string;
  readonly address: string;
}

export const NORMAL = 1000;
const GOING_AWAY = 1001;
export const UNSUPPORTED_DATA = 1003;
export const INVALID_DATA = 1007;
const NO_CODE = 1005;
const ABNORMAL = 1006;

/** What each code means (RFC 6455, the registry of IANA, and the habit of writing HTTP statuses behind a 4). */
const WORDS: Readonly<Record<number, string>> = {
  [NORMAL]: 'a normal end',
  [GOING_AWAY]: 'it is going away, as a server does that stops',
  1002: 'it found a fault in the frames that it was sent',
  [UNSUPPORTED_DATA]: 'it does not take the kind of data that it was sent',
  [INVALID_DATA]: 'it found a message that is not UTF-8',
  1008: 'against its policy',
  1009: 'a message was too large for it',
  1010: 'it misses an extension',
  1011: 'an error on its side',
  1012: 'it restarts',
  1013: 'it is overloaded and asks to try again later',
  1014: 'the gateway got no good answer from the server behind it',
  3000: 'a sign-in is wanted',
  3003: 'not allowed',
  3008: 'it waited too long',
  4400: 'a bad request',
  4401: 'a sign-in is wanted',
  4403: 'not allowed',
  4404: 'not found',
  4408: 'it waited too long',
  4409: 'a conflict',
  4429: 'too many requests',
  4500: 'an error on its side',
  4503: 'it is not available',
};

const SIGN_IN: ReadonlySet<number> = new Set([3000, 4401]);
/** Nothing but a changed setting or right mends these. */
const POLICY: ReadonlySet<number> = new Set([1008, 3003, 4403]);

/** What became of a WebSocket that the server closed, or (1006) that broke off without a closing handshake. */
export function toCloseFailure(code: number, reason: string, subject: Subject, cause?: string): ConnectFailure {
  if (code === ABNORMAL) {
    const said = cause === undefined ? 'without a closing handshake (code 1006)' : `without a closing handshake (code 1006), ${cause}`;
    return explainFailure('connection_reset', { stage: 'negotiate', ...subject, said, evidence: { closeCode: code, ...(cause !== undefined && { detail: cause }) } });
  }
  const words = WORDS[code] ?? (code >= 4000 ? 'a code of its own' : 'a code without a common meaning');
  const quoted = reason === '' ? '' : `: "${toVisibleText(reason)}"`;
  const said = code === NO_CODE ? 'without saying why (no code)' : `code ${code}, ${words}${quoted}`;
  const evidence = { closeCode: code, ...(reason !== '' && { closeReason: reason }) };
  const kind = kindOf(code);
  return explainFailure(kind, {
    stage: kind === 'closed_by_server' ? 'negotiate' : 'auth', ...subject, evidence,
    said: kind === 'unauthorized' ? (reason === '' ? undefined : `"${toVisibleText(reason)}"`) : said,
  });
}

function kindOf(code: number): ConnectFailureCode {
  if (SIGN_IN.has(code)) return 'unauthorized';
  return POLICY.has(code) ? 'closed_for_policy' : 'closed_by_server';
}
