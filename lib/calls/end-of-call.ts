import { assertNever, formatBytes, formatDuration } from '@/lib/core';
import type { ConnectFailure, ConnectFailureCode } from '@/lib/pool';
import { describeTimeout, type CallClock } from './clocks';
import { toConsoleError } from './console-error';
import { describeCause, type GuardVerdict, type RestCause } from './guard';
import type { CallError, Outcome } from './outcome';
import type { RemedyFacts } from './remedies';

/** Why the console gave a call up. */
export type StopReason =
  | { readonly kind: 'cancelled'; readonly by: string }
  | { readonly kind: 'timeout'; readonly which: 'idle' | 'total'; readonly clock: CallClock }
  /** The process that carries the call ends. */
  | { readonly kind: 'closing' };

/** How a call ended without an answer, and what that says of its server. */
export interface EndWithoutAnswer {
  readonly outcome: Outcome;
  readonly error: CallError;
  readonly verdict: GuardVerdict;
}

/** The end of a call that the console gave up. */
export function endStopped(reason: StopReason, sent: boolean, facts: RemedyFacts & { readonly longRunning: boolean }): EndWithoutAnswer {
  switch (reason.kind) {
    case 'cancelled': {
      const message = sent
        ? `Stop was requested by ${reason.by}, and the server was told. It may have carried the call out already.`
        : `Stop was requested by ${reason.by} before the call was sent: it was not carried out.`;
      return { outcome: 'cancelled', error: toConsoleError('cancelled', message, facts, sent ? {} : NOTHING_HAPPENED), verdict: 'says_nothing' };
    }
    case 'timeout': {
      const message = describeTimeout(reason.which, reason.clock, facts.tool);
      const error = toConsoleError('timeout', message, { ...facts, limitField: reason.clock.field });
      return { outcome: 'timeout', error, verdict: facts.longRunning ? 'says_nothing' : 'unanswered' };
    }
    case 'closing': {
      const message = sent
        ? 'The console ended while the server was at it, and told the server. The call may have been carried out.'
        : 'The console ended before the call was sent: it was not carried out.';
      return { outcome: 'interrupted', error: toConsoleError('interrupted', message, facts, sent ? {} : NOTHING_HAPPENED), verdict: 'says_nothing' };
    }
    default:
      return assertNever(reason);
  }
}

const LONGEST_QUOTE = 200;

/** What was seen while a call was waited for in vain, added to its end. */
export function withSightings(
  end: EndWithoutAnswer,
  { quoted, unreadBytes, heldUpBy }: { readonly quoted?: string; readonly unreadBytes?: number; readonly heldUpBy?: string },
): EndWithoutAnswer {
  if (quoted === undefined && unreadBytes === undefined && heldUpBy === undefined) return end;
  const sentences = [
    ...(heldUpBy === undefined ? [] : [`Of its answer this is known: ${heldUpBy}.`]),
    ...(unreadBytes === undefined ? [] : [`The server was not reading its input: ${formatBytes(unreadBytes)} still waited for it.`]),
    ...(quoted === undefined ? [] : [`Meanwhile it printed a message and other text in one line, from which no answer is read: ${quoted.slice(0, LONGEST_QUOTE)}`]),
  ];
  const details = { ...(heldUpBy !== undefined && { held_up_by: heldUpBy }), ...(unreadBytes !== undefined && { unread_bytes: unreadBytes }), ...(quoted !== undefined && { quoted }) };
  return { ...end, error: { ...end.error, message: [end.error.message, ...sentences].join(' '), details } };
}

const NOTHING_HAPPENED = { remediation: 'Nothing was sent: the call can be made again.' } as const;

/**
 * The end of a call that provably did not reach its tool.
 * @param closedHere the console itself closed the connection
 */
export function endNotSent(failure: ConnectFailure, facts: RemedyFacts, closedHere = false): EndWithoutAnswer {
  const error = toConsoleError('not_connected', `Nothing was sent to ${facts.serverKey}: ${failure.message}`, facts, fromFailure(failure));
  const verdict = isRefusal(failure) ? 'answered' : UNANSWERED.has(failure.code) ? 'unanswered' : 'says_nothing';
  return { outcome: 'not_sent', error, verdict: closedHere ? 'says_nothing' : verdict };
}

/**
 * The end of a call whose connection went while it waited for the answer.
 * @param closedHere the console itself closed the connection: that says nothing of the server
 */
export function endLost(failure: ConnectFailure, facts: RemedyFacts, closedHere = false): EndWithoutAnswer {
  if (!closedHere && isRefusal(failure)) return endUnclear(failure, facts);
  const message = closedHere
    ? `The console closed its connection to ${facts.serverKey} (it was edited, restarted, disabled or deleted) before the answer came. The call may have been carried out.`
    : `The connection to ${facts.serverKey} was lost before it answered: ${failure.message} The call may have been carried out.`;
  const { details } = fromFailure(failure);
  const verdict = closedHere ? 'says_nothing' : 'unanswered';
  return { outcome: 'unknown', error: toConsoleError('connection_lost', message, facts, { details }), verdict };
}

/** Something answered with an HTTP error, the server or a gateway before it, which does not say what became of the call. */
function endUnclear(failure: ConnectFailure, facts: RemedyFacts): EndWithoutAnswer {
  const error = toConsoleError('outcome_unknown', `${failure.message} The call of ${facts.tool} may have been carried out.`, facts, fromFailure(failure));
  return { outcome: 'unknown', error, verdict: 'answered' };
}

/** An error that came over HTTP is an answer of the server's, whatever it says. */
const isRefusal = ({ evidence }: ConnectFailure): boolean => evidence.httpStatus !== undefined && evidence.httpStatus >= 400;

/** @param failure the refusal, where it came as an HTTP status */
export function endProtocolError(message: string, quoted: string, facts: RemedyFacts, failure?: ConnectFailure): EndWithoutAnswer {
  const error = failure === undefined ? toConsoleError('protocol_error', message, facts, { details: { quoted } }) : toRefusedError(failure, facts);
  return { outcome: 'protocol_error', error, verdict: 'answered' };
}

/** The address was right when the server was connected: what it refuses is this call. */
function toRefusedError(failure: ConnectFailure, facts: RemedyFacts): CallError {
  const { httpStatus, body = '' } = failure.evidence;
  const words = body.trim() === '' || /^\s*</.test(body) ? '' : `: ${body.trim().slice(0, LONGEST_QUOTE)}`;
  return toConsoleError('protocol_error', `${facts.serverKey} refused the call of ${facts.tool} with HTTP ${httpStatus}${words}`, facts, {
    ...fromFailure(failure),
    remediation: 'Read what it says, correct the arguments if they are meant, and look into the log of the server; whether it did anything is not known.',
  });
}

export function endTooLarge(sizeBytes: number, limitBytes: number, facts: RemedyFacts): EndWithoutAnswer {
  const message = `The answer of ${facts.tool} has ${formatBytes(sizeBytes)} or more, over the limit of ${formatBytes(limitBytes)} for one message: it was not read.`;
  return { outcome: 'protocol_error', error: toConsoleError('result_too_large', message, { ...facts, sizeBytes }), verdict: 'answered' };
}

/**
 * The answer of the console while a server rests.
 * @param waitMs until one call may try it; null while another one does
 */
export function endResting(waitMs: number | null, cause: RestCause, facts: RemedyFacts): EndWithoutAnswer {
  const until = waitMs === null ? 'One call is trying it just now' : `Its rest lasts another ${formatDuration(waitMs)}`;
  const message = `${facts.serverKey} rests: ${describeCause(cause)} ${until}, and this one was not sent.`;
  const error = toConsoleError('server_resting', message, waitMs === null ? facts : { ...facts, waitMs }, {
    details: { seconds_left: waitMs === null ? null : Math.ceil(waitMs / 1000) },
  });
  return { outcome: 'not_sent', error, verdict: 'says_nothing' };
}

const fromFailure = (failure: ConnectFailure): Partial<CallError> & { readonly details: unknown } => ({
  remediation: failure.remediation,
  httpStatus: failure.evidence.httpStatus ?? null,
  details: { stage: failure.stage, code: failure.code, evidence: failure.evidence },
});

/** Failures of reaching a server that count against it: refused, dropped, silent or dead (product section 6.1). */
const UNANSWERED: ReadonlySet<ConnectFailureCode> = new Set([
  'refused', 'timed_out', 'connection_reset', 'closed_by_server', 'never_answers', 'exited_at_once', 'exited', 'list_hangs', 'not_utf8', 'not_reading', 'output_closed', 'endless_line',
]);
