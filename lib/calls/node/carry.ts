import { assertNever, formatDuration, type CallId, type Clock, type Json, type JsonObject } from '@/lib/core';
import { explainFailure, type ConnectFailure } from '@/lib/pool';
import type { Lease } from '@/lib/pool/node';
import { DEFAULT_LIMITS, type ServerRecord } from '@/lib/servers';
import { clocksFor, fromRpcError, readAnswer, toConsoleError, type CallError, type CallRequest, type Outcome } from '..';
import { endLost, endNotSent, endProtocolError, endResting, endStopped, endTooLarge, withSightings, type StopReason } from '../end-of-call';
import { guardLimits, type Admission, type GuardedEnd, type GuardVerdict, type Pass } from '../guard';
import { decideOnTools, decidePlumbing, decidePolicy, findManifestTool } from '../policy';
import type { CarriedCall } from './carried-call';
import type { CallPathOptions } from './ports';
import { isSlowDown, mayRepeat } from './repeat';
import { sendOnce, type Attempt } from './send';
import type { Slot, SlotRequest, Slots } from './slots';
import type { SlowDowns } from './slow-downs';
import { stageFiles, type Staged } from './stage';
import { CallTimers } from './timers';

/** How a call ended, whatever became of it. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly error: CallError | null;
  readonly result: JsonObject | null;
  /** What the result comes to; null where there is none. */
  readonly value: Json;
  readonly verdict: GuardVerdict;
}

type Services = Pick<CallPathOptions, 'servers' | 'pool' | 'guards' | 'fingerprintOf' | 'log' | 'files' | 'writer'> & {
  readonly slots: Slots;
  readonly slowDowns: SlowDowns;
  readonly clock: Clock;
};

/** What a call that the guard let go needs on its way. */
interface Carriage {
  readonly call: CarriedCall;
  readonly record: ServerRecord;
  readonly fingerprint: string;
  readonly services: Services;
  /** As the guard last let it go. */
  pass: Pass;
  slot: Slot | null;
  staged: Extract<Staged, { kind: 'staged' }>;
}

/** One call from policy to its outcome: policy, rest, connection, what the tools allow, a slot, the wire. */
export async function carryCall(call: CarriedCall, services: Services): Promise<CallEnd> {
  const { request, principal } = call;
  const record = services.servers.find(request.serverKey);
  const decision = call.plumbing === null ? decidePolicy(request, principal, record) : decidePlumbing(request, record);
  if (decision.kind === 'refused' || record === undefined) {
    return notSent(decision.kind === 'refused' ? decision.error : toConsoleError('not_connected', 'The server is gone.', factsOf(request)));
  }
  if (record.entry.transport !== 'stdio' && record.entry.tls?.insecure === true) {
    call.record.warned("TLS not verified: the server's certificate was not checked.");
  }
  const fingerprint = services.fingerprintOf(request.serverKey) ?? `unresolved:${request.serverKey}`;
  const admission = services.guards.admit(fingerprint, toAdmitted(call));
  if (admission.kind === 'refused') return toRefused(admission, call, services);
  const carriage: Carriage = { call, record, fingerprint, services, pass: admission.pass, slot: null, staged: asGiven(request) };
  let end: CallEnd | null = null;
  try {
    end = await carryAdmitted(carriage);
    return end;
  } finally {
    // Before its place is given on: the guard is asked again by whoever gets it.
    services.guards.settle(fingerprint, carriage.pass, toGuardedEnd(request.tool, end), guardLimits(record.entry.limits));
    carriage.slot?.release();
  }
}

/** The call whose trial this is: the calls of an upload are part of the call that needs it. */
const toAdmitted = ({ plumbing, request }: CarriedCall): CallId => plumbing?.admittedAs ?? request.callId;

const asGiven = ({ arguments: given }: CallRequest): Carriage['staged'] => ({ kind: 'staged', arguments: given, argumentsSent: null, onSending: undefined });

/** A call that broke inside the console says nothing of the server. */
export const toGuardedEnd = (tool: string, end: CallEnd | null): GuardedEnd =>
  end?.verdict === 'unanswered' ? { verdict: 'unanswered', call: { tool, code: end.error?.code ?? end.outcome } } : { verdict: end?.verdict ?? 'says_nothing' };

async function carryAdmitted(carriage: Carriage): Promise<CallEnd> {
  const { call, fingerprint, services } = carriage;
  const { request, principal } = call;
  const { signal } = call.abort;
  const acquired = await services.pool.acquire(request.serverKey, 'call', signal);
  if (!acquired.ok) return stoppedOr(call, () => withoutResult(endNotSent(acquired.error, factsOf(request))));
  const held = { lease: acquired.value };
  try {
    const decision = decideOnTools(request, principal, held.lease.snapshot);
    if (decision.kind === 'refused') return notSent(decision.error);
    const staged = await stageFiles(call, carriage.record, held.lease, services);
    if (staged.kind === 'refused') return notSent(staged.error);
    carriage.staged = staged;
    carriage.slot = (await services.slots.take(toSlotRequest(call, fingerprint, services), signal)) ?? null;
    if (carriage.slot === null) return stoppedOr(call, () => withoutResult(endStopped({ kind: 'closing' }, false, stopFacts(call, held.lease))));
    // Those before it in the queue may have shown meanwhile that the server does not answer.
    const again = services.guards.admit(fingerprint, toAdmitted(call));
    if (again.kind === 'refused') return toRefused(again, call, services);
    carriage.pass = again.pass;
    return await sendAndRepeat(carriage, held);
  } finally {
    held.lease.release();
  }
}

/** The place that a call waits for, under the cap as it is set by then. */
export const toSlotRequest = ({ request, record }: CarriedCall, fingerprint: string, { servers }: Pick<Services, 'servers'>): SlotRequest => ({
  fingerprint,
  id: request.callId,
  cap: () => servers.find(request.serverKey)?.entry.limits.max_concurrent_calls ?? DEFAULT_LIMITS.max_concurrent_calls,
  onQueued: (ahead) => record.queued(ahead),
});

/** Sends, and sends again where that is provably or by a trusted server's word harmless. */
async function sendAndRepeat({ call, record, fingerprint, services, staged }: Carriage, held: { lease: Lease }): Promise<CallEnd> {
  const { request } = call;
  const { signal } = call.abort;
  const { limits, reads_errors: readsErrors } = record.entry;
  const clocks = clocksFor({
    tool: request.tool, limits, manifestTool: findManifestTool(held.lease.snapshot, request.tool), totalMs: request.totalMs,
  });
  if (clocks.shortOfMs !== null) {
    call.record.warned(`${request.tool} says that it may need ${Math.ceil(clocks.shortOfMs / 1000)} s, more than the ${clocks.total.ms / 1000} s it was given.`);
  }
  const timers = new CallTimers(clocks, (reason) => {
    call.abort.abort(reason);
  });
  const attempt = (): Promise<Attempt> =>
    sendOnce(
      {
        connection: held.lease.connection,
        request: { tool: request.tool, arguments: staged.arguments },
        argumentsSent: staged.argumentsSent,
        onSending: staged.onSending,
        content: call.plumbing?.content,
        record: call.record,
        timers,
        onLateProblem: (error) => {
          services.log.error({ err: error, callId: request.callId }, 'a late answer could not be recorded');
        },
      },
      signal,
    );
  const remainingMs = (): number => clocks.total.ms - (call.record.sentAt === null ? 0 : services.clock.now() - call.record.sentAt);
  const onWait = (waitMs: number): void => {
    call.record.warned(`${request.serverKey} asked to be called less: the call waited ${formatDuration(waitMs)}.`);
  };
  let last: Attempt | null = null;
  try {
    for (let attempts = 1; ; attempts += 1) {
      const readiness = await services.slowDowns.wait(fingerprint, remainingMs(), onWait, signal);
      if (readiness.kind === 'too_long') return withoutResult(endNotSent(toSlowDown(call, readiness.waitMs), factsOf(request)));
      if (readiness.kind === 'stopped') {
        return last === null ? stoppedOr(call, () => notSent(toConsoleError('cancelled', 'The call was stopped.', factsOf(request)))) : toEnd(call, held.lease, last, readsErrors);
      }
      if (last !== null) {
        const again = await services.pool.acquire(request.serverKey, 'call', signal);
        if (!again.ok) return toEnd(call, held.lease, last, readsErrors);
        held.lease.release();
        held.lease = again.value;
      }
      last = await attempt();
      const { answer } = last;
      if (isSlowDown(answer)) services.slowDowns.note(fingerprint, answer.retryAfterMs);
      else services.slowDowns.clear(fingerprint);
      if (!mayRepeat(answer, Math.max(attempts, call.record.attempts), record, held.lease.snapshot, request.tool)) return toEnd(call, held.lease, last, readsErrors);
    }
  } finally {
    timers.dispose();
  }
}

const toSlowDown = ({ request }: CarriedCall, waitMs: number): ConnectFailure =>
  explainFailure('too_many_requests', { stage: 'http', server: request.serverKey, retryAfterMs: waitMs, evidence: { httpStatus: 429 } });

/** What an answer of the wire means for the call. */
export function toEnd(call: CarriedCall, lease: Lease | null, { answer, closedHere }: Attempt, readsErrors: boolean): CallEnd {
  const facts = factsOf(call.request);
  switch (answer.kind) {
    case 'result': {
      const { value, error, warnings } = readAnswer(answer.result, { readsErrors, facts });
      for (const warning of warnings) call.record.warned(warning);
      return { outcome: error === null ? 'ok' : 'tool_error', error, result: answer.result, value, verdict: 'answered' };
    }
    case 'rpc_error':
      return { outcome: 'protocol_error', error: fromRpcError(answer, facts), result: null, value: null, verdict: 'answered' };
    case 'protocol_error':
      return withoutResult(endProtocolError(answer.message, answer.quoted, facts, answer.failure));
    case 'too_large':
      return withoutResult(endTooLarge(answer.sizeBytes, answer.limitBytes, facts));
    case 'not_sent': {
      const reason = stopReason(call.abort.signal);
      // A clock that ran out while a repeat was waited for leaves it as it was: not sent.
      return withoutResult(reason === null || reason.kind === 'timeout' ? endNotSent(answer.failure, facts, closedHere) : endStopped(reason, false, stopFacts(call, lease)));
    }
    case 'lost':
      return withoutResult(endLost(answer.failure, facts, closedHere));
    case 'aborted': {
      const reason = stopReason(call.abort.signal) ?? { kind: 'cancelled', by: 'the connection' };
      return withoutResult(withSightings(endStopped(reason, answer.sent || call.record.sentAt !== null, stopFacts(call, lease)), answer));
    }
    default:
      return assertNever(answer);
  }
}

function toRefused({ untilAt, cause }: Extract<Admission, { kind: 'refused' }>, { request }: CarriedCall, { clock }: Services): CallEnd {
  return withoutResult(endResting(untilAt === null ? null : untilAt - clock.now(), cause, factsOf(request)));
}

/** The end of a call that was stopped before it went out, else what the caller says. */
function stoppedOr(call: CarriedCall, otherwise: () => CallEnd): CallEnd {
  const reason = stopReason(call.abort.signal);
  return reason === null ? otherwise() : withoutResult(endStopped(reason, call.record.sentAt !== null, stopFacts(call, null)));
}

/** Only the call path aborts a call's signal, and always with a `StopReason`. */
const stopReason = (signal: AbortSignal): StopReason | null => (signal.aborted ? (signal.reason as StopReason) : null);

const factsOf = ({ serverKey, tool }: CallRequest) => ({ serverKey, tool });

const stopFacts = ({ request }: CarriedCall, lease: Lease | null) => ({
  ...factsOf(request),
  longRunning: lease !== null && findManifestTool(lease.snapshot, request.tool)?.longRunning === true,
});

const withoutResult = (end: Omit<CallEnd, 'result' | 'value'>): CallEnd => ({ ...end, result: null, value: null });

export const notSent = (error: CallError): CallEnd => ({ outcome: 'not_sent', error, result: null, value: null, verdict: 'says_nothing' });
